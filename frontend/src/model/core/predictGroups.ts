/** Predictions of moving and regrouping. Twin of the server's `transform/resolvers/groups.py`. */
import type { Values } from './fieldPairs';
import type { Read } from './forms';
import { coordinate, MAX_COORDINATE } from './numbers';
import { needEdge, needUnlockedEnds, routeValue, setEdge } from './predictEdges';
import { addNode, deleteNodes, lift, setNode } from './predictNodes';
import { NotPredicted, Refused } from './refusal';
import { needGroup, needNode, needUnlocked, type Transaction } from './transaction';
import { own } from './values';
import type { XY } from './workspace';

const PADDING = 24;
const TITLE = 40;

/** Sets positions, sizes and routes. */
export function moveNodes(tx: Transaction, op: Read<'move_nodes'>): void {
  const { positions, sizes, routes } = op;
  for (const id of new Set([...Object.keys(positions), ...Object.keys(sizes ?? {})])) {
    needNode(tx, id);
    needUnlocked(tx, id);
    const values: Values = new Map();
    if (Object.hasOwn(positions, id)) values.set('position', own(positions, id));
    if (sizes && Object.hasOwn(sizes, id)) values.set('size', own(sizes, id));
    setNode(tx, id, values);
  }
  for (const [id, route] of Object.entries(routes ?? {})) {
    needUnlockedEnds(tx, needEdge(tx, id)[1]);
    setEdge(tx, id, new Map([['route', routeValue(route)]]));
  }
}

/** Makes a group around nodes of one parent; nothing moves on screen. */
export function groupNodes(tx: Transaction, op: Read<'group_nodes'>): void {
  if (op.id == null) throw new NotPredicted('the server makes the id');
  const ids = [...new Set(op.ids)];
  const nodes = ids.map((id) => {
    const node = needNode(tx, id);
    needUnlocked(tx, id);
    return node;
  });
  const parents = new Set(nodes.map((node) => node.parent ?? null));
  if (parents.size > 1)
    throw new Refused('different_parents', 'They stand in different groups; move them first.');
  const left = Math.min(...nodes.map((node) => node.position.x)) - PADDING;
  const top = Math.min(...nodes.map((node) => node.position.y)) - TITLE;
  const position = {
    x: coordinate(Math.max(left, -MAX_COORDINATE)),
    y: coordinate(Math.max(top, -MAX_COORDINATE)),
  };
  const { id, label, description } = op;
  const group = addNode(tx, { id, type: 'group', label, description, position, parent: [...parents][0] });
  for (const inner of ids) lift(tx, inner, group);
}

/** Dissolves a group; its children move up and stay where they are on screen. */
export function ungroupNodes(tx: Transaction, op: Read<'ungroup_nodes'>): void {
  needGroup(tx, op.id);
  deleteNodes(tx, [op.id], {});
}

/** Moves nodes into a group, or out of every group. */
export function moveToGroup(tx: Transaction, op: Read<'move_to_group'>): void {
  const { group, positions } = op;
  if (group !== null) {
    needGroup(tx, group);
    needUnlocked(tx, group);
  }
  for (const id of new Set(op.ids)) {
    needNode(tx, id);
    needUnlocked(tx, id);
    if (group !== null && (id === group || tx.workspace.ancestors(group).includes(id)))
      throw new Refused('containment_cycle', `'${group}' stands in '${id}'; a group cannot stand in itself.`);
    lift(tx, id, group, positions ? ((own(positions, id) ?? undefined) as XY | undefined) : undefined);
  }
}
