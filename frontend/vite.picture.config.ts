/**
 * Builds what draws pictures on the server into dist/picture: one script for an engine without a DOM, and the font in
 * which they are set, which the page reads, too. Run after the editor's own build, which empties dist.
 */
import { readFileSync } from 'node:fs';
import { defineConfig, type Plugin } from 'vite';
import { FACES, FONT_LICENCE } from './scripts/glyphs.mjs';
import { typeIcons } from './scripts/typeIcons.ts';

export default defineConfig({
  plugins: [typeIcons(), withFont()],
  publicDir: false,
  build: {
    outDir: 'dist/picture',
    target: 'es2022',
    lib: {
      entry: 'src/engine/picture.ts',
      formats: ['iife'],
      name: 'draftsmithPictureScript',
      fileName: () => 'picture.js',
    },
  },
});

/** Lays the font beside the script, unchanged, with its licence. */
function withFont(): Plugin {
  return {
    name: 'with-font',
    generateBundle() {
      for (const [weight, file] of Object.entries(FACES))
        this.emitFile({ type: 'asset', fileName: `Inter-${weight}.ttf`, source: readFileSync(file) });
      this.emitFile({ type: 'asset', fileName: 'OFL.txt', source: readFileSync(FONT_LICENCE) });
    },
  };
}
