// Measures the built model on workspaces of two sizes: JSON on stdout, microseconds each, the median of some rounds.
// A figure that grows with the workspace is one that something looks at all of it.
import {
  apply,
  inverse,
  predict,
  takeBack,
  WorkspaceState,
} from '../../frontend/dist/client/draftsmith-client.js';

const ROUNDS = 15;

/** Groups of twenty nodes, two edges a node, one in four with a route; a text of 40 characters a node. */
function contentOf(size) {
  const nodes = [];
  const edges = [];
  for (let at = 0; at < size; at++) {
    const isGroup = at % 20 === 0;
    const parent = isGroup ? {} : { parent: `n${at - (at % 20)}` };
    const position = { x: (at % 20) * 200, y: Math.floor(at / 20) * 150 };
    nodes.push([
      `n${at}`,
      { birth: 1, type: isGroup ? 'group' : 'service', label: `Node ${at}`, position, ...parent },
    ]);
  }
  for (let at = 0; at < 2 * size; at++) {
    const [source, target] = [at % size, (at * 7 + 1) % size];
    if (source === target) continue;
    const route = at % 4 === 0 ? { route: [position(at), position(at + 1)] } : {};
    edges.push([`e${at}`, `n${source}`, `n${target}`, { birth: 1, label: `l${at}`, ...route }]);
  }
  return {
    name: 'W',
    eol: 'lf',
    text: 'a line of the document, forty characters\n'.repeat(size),
    nodes,
    edges,
  };
}

function position(at) {
  return { x: at, y: at };
}

function microseconds(work, times) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    for (let time = 0; time < times; time++) work(time);
    rounds.push(((performance.now() - start) * 1000) / times);
  }
  return rounds.sort((one, other) => one - other)[ROUNDS >> 1];
}

function measured(size) {
  const content = contentOf(size);
  const workspace = WorkspaceState.from(content);
  const taken = (operations) => takeBack(predict(operations, workspace), workspace);
  const label = (id) => workspace.nodes.get(id).label;
  const rename = (time) => [{ k: 'node=', id: 'n7', b: 1, v: { label: [label('n7'), `Label ${time}`] } }];
  const typed = () => [
    { k: 'text', c: [workspace.text.length >> 1, [0, 'x'], (workspace.text.length + 1) >> 1], d: [''] },
  ];
  return {
    'open the whole': microseconds(() => WorkspaceState.from(content), 1),
    'apply a step': microseconds((time) => apply(rename(time), workspace), 2_000),
    'apply a step of typing': microseconds(() => apply(typed(), workspace), 50),
    'invert a step': microseconds((time) => inverse(rename(time)[0]), 2_000),
    'predict a drag and take it back': microseconds(
      (time) => taken([{ op: 'move_nodes', positions: { n7: position(time) } }]),
      500,
    ),
    'predict a new node and take it back': microseconds(
      () =>
        taken([
          { op: 'add_node', id: 'new', type: 'service', label: 'New', position: position(0), parent: 'n0' },
        ]),
      500,
    ),
    'predict the deletion of a group of 20 and take it back': microseconds(
      () => taken([{ op: 'delete_node', id: 'n0', children: 'delete' }]),
      50,
    ),
  };
}

for (const size of [100, 4_900]) measured(size); // warm
console.log(JSON.stringify({ 100: measured(100), 4_900: measured(4_900) }));
