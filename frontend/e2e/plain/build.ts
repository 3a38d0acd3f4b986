/**
 * Builds the plain page into a folder of its own, which a server takes for the editor's (`EDITOR_DIR`): the page then
 * stands at `/w/<workspace>`, under the same headers and from the same origin as the editor.
 */
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'vite';

const BUILT = process.env.EDITOR_DIR ?? path.resolve(import.meta.dirname, '../../dist');

/** The folder, with the client library beside the page; whoever asked for it removes it. */
export async function buildPlainPage(): Promise<string> {
  const outDir = mkdtempSync(path.join(tmpdir(), 'draftsmith-plain-'));
  await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'error',
    mode: 'production',
    // As in vite.config.ts: the server puts a fresh one in its place.
    html: { cspNonce: 'DRAFTSMITH-NONCE' },
    build: { outDir, target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  });
  cpSync(path.join(BUILT, 'client'), path.join(outDir, 'client'), { recursive: true });
  return outDir;
}
