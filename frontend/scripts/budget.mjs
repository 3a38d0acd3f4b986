/**
 * Adds up what a first visit loads of a built editor, packed as it travels, and fails where that is too much:
 * `node scripts/budget.mjs [folder]`.
 *
 * A mode loads the page's entry, the pieces named here, and everything that these import outright, styles included.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const PAGE = ['index.html', 'src/view/workspace/WorkspacePage.tsx'];
const SPLIT = [
  'src/view/workspace/Split.tsx',
  'src/view/document/DocumentPane.tsx',
  'src/view/document/editor/open.ts',
];
/** Loaded behind the editor, where it is chosen. */
const LIVE_PREVIEW = 'src/view/document/editor/live/preview.ts';
const MODES = [
  { name: 'Diagram', most: 250, pieces: PAGE },
  // Code in the text has parsers of its own; what CodeMirror needs to nest them is no piece that could come later.
  { name: 'Split', most: 408, pieces: [...PAGE, ...SPLIT] },
  { name: 'Split with live preview', most: 420, pieces: [...PAGE, ...SPLIT, LIVE_PREVIEW] },
];
/**
 * What is loaded for a document beside what Split has loaded: for its code (not the parser of each language), maths, pastes, and
 * live preview beside what that has loaded.
 */
const LATER = [
  { name: 'Colours of code', most: 6, beside: [], pieces: ['src/view/code/codeBlocks.ts'] },
  { name: 'Maths', most: 90, beside: [], pieces: ['src/view/maths/mathsBlocks.ts'] },
  {
    name: 'Pasted flowcharts',
    most: 4,
    beside: [],
    pieces: ['src/view/document/paste/PastedFlowcharts.tsx'],
  },
  {
    name: 'The diagram as text',
    most: 20,
    beside: ['src/view/document/editor/findAndComplete.ts'],
    pieces: ['src/view/diagramText/openText.ts', 'src/view/canvas/text/TextPane.tsx'],
  },
  {
    name: 'The rest of live preview',
    most: 11,
    beside: [LIVE_PREVIEW],
    pieces: ['src/view/document/editor/live/tablesAndImages.ts'],
  },
];

const folder = process.argv[2] ?? 'dist';
const chunks = JSON.parse(readFileSync(path.join(folder, 'chunks.json'), 'utf8'));

/** The files of these pieces and of all that they import outright. */
function filesOf(pieces) {
  const seen = new Set();
  const files = new Set();
  const visit = (name) => {
    if (seen.has(name)) return;
    seen.add(name);
    const chunk = chunks[name];
    if (!chunk)
      throw new Error(
        `${folder}/chunks.json knows no ${name}: has it been renamed, or is it no piece of its own?`,
      );
    files.add(chunk.file);
    for (const style of chunk.css ?? []) files.add(style);
    for (const other of chunk.imports ?? []) visit(other);
  };
  for (const piece of pieces) visit(piece);
  return [...files];
}

const sizeOf = (file) => gzipSync(readFileSync(path.join(folder, file)), { level: 9 }).length / 1000;

let isOver = false;
for (const { name, most, pieces, beside } of [...MODES, ...LATER]) {
  const loaded = new Set(beside ? filesOf([...PAGE, ...SPLIT, ...beside]) : []);
  const sizes = filesOf(pieces)
    .filter((file) => !loaded.has(file))
    .map((file) => ({ file, size: sizeOf(file) }))
    .sort((a, b) => b.size - a.size);
  const sum = sizes.reduce((total, { size }) => total + size, 0);
  console.log(`${name}: ${sum.toFixed(0)} kB of ${most} kB gzip`);
  if (sum > most || process.argv.includes('--all'))
    for (const { file, size } of sizes) console.log(`  ${size.toFixed(1).padStart(6)}  ${file}`);
  isOver ||= sum > most;
}
if (isOver) process.exitCode = 1;
