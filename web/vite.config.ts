import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { maplibreFromSources } from './scripts/maplibre.ts';

// The program serves what is built from its own address; `vite dev` borrows one that runs.
const program = process.env['TRIGPOINT_URL'] ?? 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [svelte(), maplibreFromSources()],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0, // the page's policy allows no data: addresses
    modulePreload: { polyfill: false },
    // What screens are made of comes as one file: a screen needs most of it, and a browser fetches only six at once.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'preload', test: /vite\/preload-helper/, priority: 1 }, // the map's worker has it too, and no page
            { name: 'ui', test: /web\/src\/(ui\/[^/]*|api\/[^/]*|app\/[^/]*)$/ },
          ],
        },
      },
    },
    chunkSizeWarningLimit: 700, // the map's library, which is loaded only where a map is shown
  },
  server: {
    proxy: Object.fromEntries(['/_api', '/media', '/brand', '/map/', '/docs', '/openapi', '/healthz'].map((path) => [path, program])),
    fs: { allow: ['..'] }, // the rank scale is the program's
  },
});
