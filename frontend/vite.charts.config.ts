/**
 * Builds what reads charts of Mermaid on the server into dist/charts/charts.js: the parsers of the package itself, one script for an
 * engine without a DOM. Run after the editor's own build, which empties dist.
 */
import path from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const CHARTS = path.resolve(import.meta.dirname, 'src/engine/charts');
/** Files of the package that it loads when it needs them: a kind of charts, a layout, a kind of parser. */
const LOADED_WHEN_NEEDED = /\/(?!chunk-)[\w-]+-[A-Z0-9]{8}\.mjs$/;
/** Those of the kinds that are read; state diagrams of either version are read by the second. */
const READ = /\/(?:(?:flow|c4|architecture|class|er|sequence)Diagram|stateDiagram-v2|architecture)-[^/]+$/;
/** What only draws. */
const DRAWING = /^(?:cytoscape|cytoscape-cose-bilkent|cytoscape-fcose|katex|roughjs|fastdom|fastdom\/.*)$/;

export default defineConfig({
  plugins: [parsersAlone()],
  publicDir: false,
  build: {
    outDir: 'dist/charts',
    target: 'es2022',
    // It is read by the server, and sent to nobody.
    reportCompressedSize: false,
    chunkSizeWarningLimit: 3000,
    lib: {
      entry: 'src/engine/charts/main.ts',
      formats: ['iife'],
      name: 'draftsmithChartsScript',
      fileName: () => 'charts.js',
    },
  },
});

/** Puts stand-ins in place of what draws, of what makes texts and addresses safe for a page, and of parsers of kinds that are not read. */
function parsersAlone(): Plugin {
  const standIn = (name: string) => path.join(CHARTS, name);
  return {
    name: 'parsers-alone',
    enforce: 'pre',
    resolveId(source) {
      if (source === 'dompurify' || source === '@braintree/sanitize-url') return standIn('purify.ts');
      if (DRAWING.test(source)) return standIn('nothing.ts');
      if (LOADED_WHEN_NEEDED.test(source) && !READ.test(source)) return standIn('nothing.ts');
    },
  };
}
