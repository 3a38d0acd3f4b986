/** Imports go one way: between the folders of `src` and inside them (`scripts/layers.mjs`). */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { importsOf, LAYERS, violations } from '../scripts/layers.mjs';

const SRC = path.resolve(import.meta.dirname, '../src');
const TABLE = { '': ['low', 'left | right', 'top.ts'] };

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'draftsmith-layers-'));
  write('low/value.ts', '');
  write('left/part.ts', "import '../low/value';");
  write('right/part.ts', "export * from '../low/value';");
  write('top.ts', "import './left/part';\nconst right = import('./right/part');");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
}

test('no folder imports one of its own layer or of a layer above', () => {
  expect(importsOf(SRC).length).toBeGreaterThan(1000);
  expect(Object.keys(LAYERS)).toEqual(['', 'model', 'model/layout', 'sync', 'view']);
  expect(violations()).toEqual([]);
});

test('an import of a layer above, or of the same layer, is found', () => {
  expect(violations(folder, TABLE)).toEqual([]);
  write('low/value.ts', "const part = await import('../left/part');");
  write('left/part.ts', "import type { Part } from '../right/part';");
  expect(violations(folder, TABLE)).toEqual([
    'left/part.ts imports right/part: right is not below left',
    'low/value.ts imports left/part: left is not below low',
  ]);
});

test('a folder that stands in no layer is found, and a layer without its folder', () => {
  write('new/part.ts', '');
  rmSync(path.join(folder, 'right'), { recursive: true });
  expect(violations(folder, TABLE).map((line) => path.relative(folder, line))).toEqual([
    'new stands in no layer',
    'right stands in a layer and is not there',
  ]);
});

test('only the view imports React', () => {
  const imports = /from\s*['"](react|react-dom|@xyflow\/react)(\/[^'"]*)?['"]/;
  const wrong = sources(['protocol', 'model', 'sync']).filter(({ text }) => imports.test(text));
  expect(sources(['view']).filter(({ text }) => imports.test(text)).length).toBeGreaterThan(100);
  expect(wrong.map(({ file }) => file)).toEqual([]);
});

function sources(folders: readonly string[]): { file: string; text: string }[] {
  return folders.flatMap((name) =>
    readdirSync(path.join(SRC, name), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => path.join(SRC, name, file))
      .map((file) => ({ file, text: readFileSync(file, 'utf8') })),
  );
}
