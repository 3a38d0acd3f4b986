/**
 * Counts what charts of Mermaid have, by the package as pages use it: `node bench/mermaidCounts.mjs FOLDER > counts.json`. It knows
 * nothing of our reader, and parses with the real DOMPurify in a DOM. `python -m bench.drawings.mermaid_import` compares.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { JSDOM } from 'jsdom';

const { window } = new JSDOM('<!doctype html><body></body>');
window.CSS ??= {};
window.CSS.supports = (_, value) => /^(?:rgb|hsl)a?\(|^(?:aqua|purple|transparent|blue|green|red|grey|gray|lightblue|orange)$/i.test(value);
Object.assign(globalThis, { window, document: window.document });
const { default: mermaid } = await import('mermaid');
mermaid.initialize({ startOnLoad: false, maxEdges: 20_000, logLevel: 5 });

const flowchart = (db) => {
  const groups = new Set(db.getSubGraphs().map(({ id }) => id));
  const ids = [...db.getVertices().keys()];
  const drawn = db.getEdges().filter(({ stroke }) => stroke !== 'invisible');
  return [ids.filter((id) => !groups.has(id)).length, drawn.length, groups.size];
};
const data = (db) => {
  const { nodes, edges } = db.getData();
  const drawn = nodes.filter(({ shape }) => shape !== 'noteGroup');
  const groups = drawn.filter(({ isGroup, shape }) => isGroup && shape !== 'note');
  return [drawn.length - groups.length, edges.length, groups.length];
};
const COUNTS = {
  flowchart,
  'flowchart-v2': flowchart,
  'flowchart-elk': flowchart,
  c4: (db) => [db.getC4ShapeArray().length, db.getRels().length, db.getBoundaries().length - 1],
  architecture: (db) => [
    db.getServices().length + db.getJunctions().length,
    db.getEdges().length,
    db.getGroups().length,
  ],
  class: data,
  classDiagram: data,
  state: data,
  stateDiagram: data,
  er: data,
  sequence: (db) => {
    const messages = db.getMessages().filter(({ from, to, type }) => from && to && type !== db.LINETYPE.NOTE);
    const notes = db.getMessages().filter(({ type }) => type === db.LINETYPE.NOTE);
    const noteLines = notes.reduce((sum, { from, to }) => sum + new Set([from, to]).size, 0);
    return [db.getActors().size + notes.length, messages.length + noteLines, db.getBoxes().length];
  },
};

const found = {};
for (const file of readdirSync(process.argv[2], { recursive: true }).sort()) {
  if (!file.endsWith('.mmd')) continue;
  const text = readFileSync(path.join(process.argv[2], file), 'utf8');
  try {
    const { db, type } = await mermaid.mermaidAPI.getDiagramFromText(text);
    const count = COUNTS[type];
    found[file] = count ? { type, counts: count(db) } : { type };
  } catch (error) {
    found[file] = { refused: String(error.message ?? error).split('\n')[0] };
  }
}
process.stdout.write(JSON.stringify(found));
