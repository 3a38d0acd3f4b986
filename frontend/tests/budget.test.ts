/** What the first visit loads of the built editor (`make setup` builds it; `EDITOR_DIR` names another folder). */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';

const SCRIPT = path.resolve(import.meta.dirname, '../scripts/budget.mjs');
const BUILT = process.env.EDITOR_DIR ?? path.resolve(import.meta.dirname, '../dist');

/** What the script says of a folder; it fails where that is too much. */
const count = (folder: string): string =>
  execFileSync(process.execPath, [SCRIPT, folder], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

test('what a first visit loads stays within its budget', () => {
  expect(count(BUILT)).toMatch(
    /Diagram: \d+ kB of 250 kB[\s\S]*Split: \d+ kB of 408 kB[\s\S]*live preview: \d+ kB of 420 kB/,
  );
});

test('what is too much is refused', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'draftsmith-budget-'));
  try {
    cpSync(BUILT, folder, { recursive: true });
    const chunks = JSON.parse(readFileSync(path.join(folder, 'chunks.json'), 'utf8'));
    const { file } = chunks['index.html'];
    writeFileSync(path.join(folder, file), randomBytes(300_000));
    expect(() => count(folder)).toThrow();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
