/** Imports go one way: protocol ← model ← sync ← view. What the linter forbids, held also where it is not asked. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOMS = ['protocol', 'model', 'sync', 'view'];
const SRC = path.resolve(import.meta.dirname, '../src');
const IMPORT = /(?:from|import|import\()\s*['"]([^'"]+)['"]/g;

/** Every import of a room's files, as `file: module`. */
function importsOf(room: string): { file: string; module: string }[] {
  return readdirSync(path.join(SRC, room), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => path.join(SRC, room, file))
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, module = '']) => ({ file, module })),
    );
}

/** The room that a relative import leads into. */
function roomOf({ file, module }: { file: string; module: string }): number {
  if (!module.startsWith('.')) return -1;
  const [room = ''] = path.relative(SRC, path.resolve(path.dirname(file), module)).split(path.sep);
  return ROOMS.indexOf(room);
}

const told = ({ file, module }: { file: string; module: string }) =>
  `${path.relative(SRC, file)} → ${module}`;

test('no room imports one that comes after it', () => {
  const wrong = ROOMS.flatMap((room, index) =>
    importsOf(room)
      .filter((one) => roomOf(one) > index)
      .map(told),
  );
  expect(ROOMS.every((room) => importsOf(room).length > 0)).toBe(true);
  expect(wrong).toEqual([]);
});

test('only the view knows React', () => {
  const wrong = ['protocol', 'model', 'sync'].flatMap((room) =>
    importsOf(room)
      .filter(({ module }) => /^(react|react-dom|@xyflow\/react)(\/|$)/.test(module))
      .map(told),
  );
  expect(wrong).toEqual([]);
});
