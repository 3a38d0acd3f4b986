// Diagrams as D2 draws them. Each line of the input is `{layout, nodes, edges}`, each line of the output
// `{boxes, routes}`: by node id `[left, top, width, height]`, by edge id its bends.
import { createInterface } from 'node:readline';
import { D2 } from '@terrastruct/d2';

const CARD = { width: 180, height: 72 };
const d2 = new D2();

for await (const line of createInterface({ input: process.stdin })) {
  const answer = await drawn(JSON.parse(line)).catch((error) => ({ failed: String(error?.message ?? error) }));
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
process.exit(0); // Its worker would keep the process alive.

async function drawn({ layout, nodes, edges }) {
  const keys = new Map(nodes.map(({ id }, index) => [id, `n${index}`]));
  const parents = new Map(nodes.map(({ id, parent }) => [id, parent]));
  const pathOf = (id) => [parents.get(id) ? pathOf(parents.get(id)) : [], keys.get(id)].flat().join('.');
  const ids = new Map(nodes.map(({ id }) => [pathOf(id), id]));
  const text = [
    ...nodes.map(({ id, type, label }) => {
      const size = type === 'group' ? '' : ` {width: ${CARD.width}; height: ${CARD.height}}`;
      return `${pathOf(id)}: ${quoted(label)}${size}`;
    }),
    ...edges.map((edge) => `${pathOf(edge.source)} -> ${pathOf(edge.target)}: ${quoted(edge.label)}`),
  ].join('\n');
  const { diagram } = await d2.compile({ fs: { index: text }, options: { layout } });
  const boxes = diagram.shapes.map(({ id, pos, width, height }) => [ids.get(id), [pos.x, pos.y, width, height]]);
  const left = [...diagram.connections]; // parallel ones in the order in which they were written
  const routes = edges.map(({ id, source, target }) => {
    const at = left.findIndex(({ src, dst }) => src === pathOf(source) && dst === pathOf(target));
    const [{ route }] = left.splice(at, 1);
    return [id, route.slice(1, -1).map(({ x, y }) => ({ x: Math.round(x), y: Math.round(y) }))];
  });
  return { boxes: Object.fromEntries(boxes), routes: Object.fromEntries(routes) };
}

/** A string of D2 in which nothing is replaced. */
function quoted(label) {
  return `'${label.replaceAll("'", "''")}'`;
}
