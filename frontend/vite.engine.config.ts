/**
 * Builds the layout engine into dist/engine/layout.js: one script for workers of the page and for an engine without a
 * DOM on the server. Run after the editor's own build, which empties dist.
 */
import { defineConfig, type Plugin } from 'vite';

export default defineConfig({
  plugins: [withoutSelf()],
  publicDir: false,
  build: {
    outDir: 'dist/engine',
    target: 'es2022',
    lib: {
      entry: 'src/engine/main.ts',
      formats: ['iife'],
      name: 'draftsmithLayoutScript',
      fileName: () => 'layout.js',
    },
  },
});

/** Hides the worker's scope from the library's worker half, which would otherwise take its messages. */
function withoutSelf(): Plugin {
  return {
    name: 'without-self',
    transform(code, id) {
      return id.includes('elk-worker')
        ? { code: `var self, window = globalThis;\n${code}`, map: null }
        : null;
    },
  };
}
