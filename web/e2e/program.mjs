// The real program, as a process.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const binary = process.env.TRIGPOINT_BINARY ?? fileURLToPath(new URL('../../bin/trigpoint', import.meta.url));

export class Program {
  url = '';
  printed = ''; // on standard output
  log = '';
  ended = ''; // how, once it did: an exit status or a signal
  pages = []; // that a browser has open on it
  #listen = '127.0.0.1:0';
  #child;
  #heard;

  constructor(data, demo, env) {
    Object.assign(this, { data, demo, env });
  }

  /** Starts it, or starts it again at the same address. */
  async start() {
    const child = spawn(binary, ['serve', ...(this.demo ? ['--demo'] : [])], {
      env: {
        PATH: process.env.PATH,
        TRIGPOINT_DATA: this.data,
        TRIGPOINT_LISTEN: this.#listen,
        TRIGPOINT_MAP_STYLE: 'none', // tests reach nothing beyond this machine
        ...this.env,
      },
    });
    this.#child = child;
    this.ended = '';
    child.ended = new Promise((resolve) => child.once('close', (status, signal) => resolve((this.ended = `${status ?? signal}`))));
    child.stdout.setEncoding('utf8').on('data', (text) => {
      this.printed += text;
      this.#heard?.();
    });
    const listening = new Promise((resolve, reject) => {
      createInterface({ input: child.stderr }).on('line', (line) => {
        this.log += `${line}\n`;
        if (line.includes('"msg":"listening"')) resolve(JSON.parse(line).url);
      });
      child.once('error', reject);
      child.ended.then((status) => reject(new Error(`${binary} ended with ${status}: ${this.log}`)));
    });
    this.url = await listening;
    this.#listen = new URL(this.url).host;
  }

  /** Waits until it has printed what matches, such as the set-up link. */
  async prints(pattern) {
    while (!pattern.test(this.printed)) await new Promise((resolve) => (this.#heard = resolve));
    return pattern.exec(this.printed);
  }

  /** Stops it as an operator does. */
  async stop() {
    this.#child.kill('SIGTERM');
    await this.#child.ended;
  }

  /** The demo's account with its key and token. */
  async demoAccount() {
    return JSON.parse(await readFile(join(this.data, 'demo-account.json'), 'utf8'));
  }
}
