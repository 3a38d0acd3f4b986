/**
 * Builds what reads charts of Mermaid on the server into dist/charts/charts.js: the parsers of the package itself, one script for an
 * engine without a DOM. Run after the editor's own build, which empties dist.
 */
import path from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const CHARTS = path.resolve(import.meta.dirname, 'src/engine/charts');
/** Chunks of Mermaid that are loaded when they are needed, and of which something is read. */
const READ = /\/(?:flow|c4|architecture|class|state|er|sequence)Diagram-[^/]+$/;
const LOADED_WHEN_NEEDED = /(?:mermaid\.core|mermaid-parser\.core)\/(?!chunk-)[\w-]+\.mjs$/;
/** Of the package of parsers that are made with Langium, those that are read. */
const PARSED = /\/architecture-[^/]+$/;
/** What only draws. Named imports of theirs are asked for by name, which an empty module has not. */
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

/** Puts stand-ins in place of what draws, of DOMPurify, and of parsers of kinds that are not read. */
function parsersAlone(): Plugin {
  const standIn = (name: string) => path.join(CHARTS, name);
  return {
    name: 'parsers-alone',
    enforce: 'pre',
    resolveId(source) {
      if (source === 'dompurify') return standIn('purify.ts');
      if (DRAWING.test(source)) return standIn('nothing.ts');
      if (LOADED_WHEN_NEEDED.test(source) && !READ.test(source) && !PARSED.test(source)) return standIn('nothing.ts');
    },
  };
}
