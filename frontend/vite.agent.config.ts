/**
 * Builds the page that programs of agents show (MCP Apps) into dist/agent/view.html: one file with script and style in
 * it, and a policy that allows these two alone, and images that it holds. Run after the editor's own build, which empties dist.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { defineConfig, type Plugin } from 'vite';
import { typeIcons } from './scripts/typeIcons.ts';

export default defineConfig({
  plugins: [typeIcons(), asOnePage()],
  publicDir: false,
  build: {
    outDir: 'dist/agent',
    target: 'es2022',
    lib: { entry: 'src/agent/main.ts', formats: ['iife'], name: 'draftsmithView', fileName: () => 'view.js' },
  },
});

function asOnePage(): Plugin {
  return {
    name: 'as-one-page',
    generateBundle(_, bundle) {
      const script = bundle['view.js'];
      if (script?.type !== 'chunk') throw new Error('view.js was not built');
      delete bundle['view.js'];
      const style = readFileSync('src/agent/view.css', 'utf8');
      this.emitFile({ type: 'asset', fileName: 'view.html', source: page(script.code, style) });
    },
  };
}

function page(code: string, style: string): string {
  // A script may hold the end of one only in a text.
  const script = code.trim().replaceAll('</script', '<\\/script');
  const policy = `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; img-src data:; base-uri 'none'; form-action 'none'`;
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>Draftsmith</title><style>${style}</style></head>`,
    `<body><script>${script}</script></body></html>`,
    '',
  ].join('\n');
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
