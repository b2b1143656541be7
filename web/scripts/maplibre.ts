// Builds MapLibre from the sources in its package: page and worker then share the code that both need, and what is loaded
// is a quarter less than the two bundles that it ships, each of which has all of it.
import { fileURLToPath } from 'node:url';
import { type Plugin, transformWithOxc } from 'vite';

const sources = fileURLToPath(new URL('../node_modules/maplibre-gl/src/', import.meta.url));
const licence = '/*! MapLibre GL JS, 3-Clause BSD: https://github.com/maplibre/maplibre-gl-js/blob/main/LICENSE.txt */\n';
const workerUrl = '\0maplibre-worker-url';

export function maplibreFromSources(): Plugin {
  return {
    name: 'maplibre-from-sources',
    apply: 'build', // `vite dev` takes the bundles
    enforce: 'pre',
    resolveId(id) {
      if (id === 'maplibre-gl') return `${sources}index.ts`;
      return id === 'maplibre-gl/dist/maplibre-gl-worker.mjs?url' ? workerUrl : undefined;
    },
    load(id) {
      if (id !== workerUrl) return undefined;
      const worker = this.emitFile({ type: 'chunk', id: `${sources}source/worker.ts`, name: 'maplibre-worker' });
      return `export default import.meta.ROLLUP_FILE_URL_${worker};`;
    },
    // Its classes declare again what their parents have set: such fields are types only.
    transform(code, id) {
      if (!id.startsWith(sources) || !id.endsWith('.ts')) return undefined;
      return transformWithOxc(code, id, { typescript: { removeClassFieldsWithoutInitializer: true }, assumptions: { setPublicClassFields: true } });
    },
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) if (file.type === 'chunk' && file.moduleIds.some((id) => id.startsWith(sources))) file.code = licence + file.code;
    },
  };
}
