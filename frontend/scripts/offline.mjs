/**
 * Builds the service worker, dist/offline.js: `offline/worker.js` with the offline page inside, and the security policy of
 * that page, which allows its own style and script by their hashes and requests to its own origin.
 */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const SOURCE = path.resolve(import.meta.dirname, '../offline');

export async function buildOffline(folder) {
  await writeFile(path.join(folder, 'offline.js'), await offlineWorker());
}

/** The script of the worker. */
export async function offlineWorker() {
  const page = await readFile(path.join(SOURCE, 'page.html'), 'utf8');
  const worker = await readFile(path.join(SOURCE, 'worker.js'), 'utf8');
  const policy = `default-src 'none'; style-src ${hashOf(page, 'style')}; script-src ${hashOf(page, 'script')}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return worker
    .replace('DRAFTSMITH_PAGE', () => JSON.stringify(page))
    .replace('DRAFTSMITH_POLICY', () => JSON.stringify(policy));
}

function hashOf(page, tag) {
  const inside = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(page)[1];
  return `'sha256-${createHash('sha256').update(inside).digest('base64')}'`;
}
