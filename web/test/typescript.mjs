// Lets `node --test` run TypeScript on every Node that builds the dashboard: types are stripped as files are loaded.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';

if (!import.meta.url.endsWith('?hooks')) register(`${import.meta.url}?hooks`);

export function resolve(specifier, context, next) {
  const source = specifier.startsWith('.') && new URL(`${specifier}.ts`, context.parentURL);
  return source && existsSync(source) ? { url: source.href, shortCircuit: true } : next(specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const { default: ts } = await import('typescript');
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, inlineSourceMap: true };
  const { outputText } = ts.transpileModule(await readFile(fileURLToPath(url), 'utf8'), { compilerOptions, fileName: url });
  return { format: 'module', source: outputText, shortCircuit: true };
}
