/** The parts of icons as the build names them. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { shorterIcons } from '../scripts/shorterIcons.mjs';

it('numbers the parts of an icon, and leaves everything else as it is', () => {
  const file = path.resolve('node_modules/lucide-react/dist/esm/icons/sticky-note.mjs');
  const code = readFileSync(file, 'utf8');
  const { transform } = shorterIcons() as unknown as {
    transform: (code: string, id: string) => { code: string } | undefined;
  };
  const keys = (text: string) => [...text.matchAll(/key: "(\w+)"/g)].map(([, key]) => key);
  expect(keys(code).every((key) => key?.length === 6)).toBe(true);
  const shorter = transform(code, file)?.code ?? '';
  expect(keys(shorter)).toEqual(keys(code).map((_, at) => `${at}`));
  expect(shorter.replace(/key: "\d"/g, '')).toBe(code.replace(/key: "\w{6}"/g, ''));
  expect(transform(code, path.resolve('src/view/drawing/typeIcons.ts'))).toBeUndefined();
});
