/**
 * Checks the layers of `src`: `node scripts/layers.mjs`. Fails where a folder imports one of its own layer or of a layer
 * above, and where a folder stands in no layer.
 *
 * The table holds each folder once, from the bottom up; folders of one layer do not know each other. A file that
 * stands beside the folders is a folder of its own here. Style sheets are left out: they import nothing.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const LAYERS = {
  '': ['protocol', 'model', 'sync', 'agent | client.ts | engine | mermaid', 'view', 'main.tsx'],
  model: [
    'core | words',
    'drawing | history | text',
    'assistant | export | gestures | imports | layout | workloads',
    'diagramText',
  ],
  'model/layout': ['moves.ts | scope.ts', 'elk | score', 'adjust | route', 'search'],
  sync: ['preferences.ts | text', 'session | visits.ts', 'client | words', 'assistant | editor | images'],
  view: [
    'queries.ts | ui',
    'code | maths',
    'commands | drawing | prose',
    'context',
    'images',
    'gestures | history | tidy | tour',
    'diagramText | imports | patterns | types | workloads',
    'assistant | document | palette | properties',
    'export | settings | suggest',
    'shell',
    'access | people',
    'canvas',
    'home | workspace',
    'App.tsx',
  ],
};

const SRC = path.resolve(import.meta.dirname, '../src');
const SOURCE = /\.tsx?$/;
const IMPORT = /(?:\bfrom|\bimport|\bimport\(|new URL\()\s*['"](\.[^'"]+)['"]/g;

/** Every import of another file of ours below `root`, both as paths from there. */
export function importsOf(root) {
  return readdirSync(root, { recursive: true })
    .filter((file) => SOURCE.test(file))
    .flatMap((file) =>
      [...readFileSync(path.join(root, file), 'utf8').matchAll(IMPORT)].map(([, module]) => ({
        file,
        module: path.join(path.dirname(file), module),
      })),
    )
    .filter(({ module }) => !module.endsWith('.css'));
}

/** What is wrong below `root`, a line each. */
export function violations(root = SRC, layers = LAYERS) {
  const imports = importsOf(root);
  return Object.entries(layers).flatMap(([parent, table]) => {
    const floors = new Map(table.flatMap((row, floor) => row.split(' | ').map((name) => [name, floor])));
    return [...unlisted(path.join(root, parent), floors), ...upward(parent, floors, imports)];
  });
}

function unlisted(folder, floors) {
  const there = readdirSync(folder, { withFileTypes: true })
    .filter((entry) =>
      entry.isDirectory() ? hasSources(path.join(folder, entry.name)) : SOURCE.test(entry.name),
    )
    .map(({ name }) => name);
  return [
    ...there
      .filter((name) => !floors.has(name))
      .map((name) => `${path.join(folder, name)} stands in no layer`),
    ...[...floors.keys()]
      .filter((name) => !there.includes(name))
      .map((name) => `${path.join(folder, name)} stands in a layer and is not there`),
  ];
}

const hasSources = (folder) => readdirSync(folder, { recursive: true }).some((file) => SOURCE.test(file));

function upward(parent, floors, imports) {
  return imports.flatMap(({ file, module }) => {
    const [from, to] = [childOf(parent, file, floors), childOf(parent, module, floors)];
    if (from === null || to === null || from === to) return [];
    return floors.get(to) < floors.get(from) ? [] : [`${file} imports ${module}: ${to} is not below ${from}`];
  });
}

/** The folder of `parent` in which a path lies; null if it lies elsewhere. Imports name files without their ending. */
function childOf(parent, file, floors) {
  const inside = path.relative(parent, file);
  if (inside.startsWith('..')) return null;
  const [first] = inside.split(path.sep);
  return [first, `${first}.ts`, `${first}.tsx`].find((name) => floors.has(name)) ?? null;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = violations();
  for (const line of found) console.error(line);
  if (found.length > 0) process.exitCode = 1;
}
