/** Predictions of operations on nodes. Twin of the server's `transform/resolvers/nodes.py`. */
import type { NodeFieldsStep, NodeStep } from '../../protocol/live';
import { isAnnotation } from '../../protocol/types';
import { isEmptyPairs, pairsOf, propertyValues, type Values } from './fieldPairs';
import type { Read } from './forms';
import { isByHand } from './handRoutes';
import { coordinate } from './numbers';
import { keptRoutes, removeEdge, setEdge } from './predictEdges';
import { NotPredicted, Refused } from './refusal';
import {
  checkRoomForNode,
  needGroup,
  needNode,
  needUnlocked,
  newNodeId,
  type Transaction,
  typeFields,
  UNBORN,
} from './transaction';
import { type Fields, type Json, NODE_TEXTS, type NodeRecord, type XY } from './workspace';

type NewNode = Omit<Read<'add_node'>, 'op'>;
type NodeChange = Read<'update_node'>;
const NEVER_CLEARED = ['type', 'label', 'position', 'locked'];

/** Throws NotPredicted without id or position, or without the size of a note or text: the server chooses them. */
export function addNode(tx: Transaction, op: NewNode): string {
  const id = newNodeId(tx, op.id);
  const type = typeFields(tx, op.type);
  checkRoomForNode(tx);
  const near = op.near == null ? null : needNode(tx, op.near);
  const parent = op.parent ?? near?.parent ?? null;
  const group = parent === null ? null : needGroup(tx, parent);
  if (parent !== null) needUnlocked(tx, parent);
  if (op.position == null) throw new NotPredicted('the server finds the place');
  if (!op.size && isAnnotation(type.type)) throw new NotPredicted('the server says how large it is');
  const fields: Record<string, Json> = { ...type, label: op.label };
  for (const name of [...NODE_TEXTS, 'locked'] as const) if (op[name]) fields[name] = op[name];
  if (op.properties && Object.keys(op.properties).length > 0) fields.properties = op.properties;
  if (op.size) fields.size = op.size;
  fields.position = op.position;
  if (parent !== null) fields.parent = parent;
  tx.do({ k: 'node+', id, b: UNBORN, n: fields, ...(group && { pb: group.birth }) });
  return id;
}

export function updateNode(tx: Transaction, op: NodeChange): void {
  const node = needNode(tx, op.id);
  checkLockChange(tx, op, node);
  const values: Values = new Map();
  for (const name of ['type', 'label', ...NODE_TEXTS, 'position', 'size', 'locked'] as const) {
    if (op[name] === undefined) continue;
    if (op[name] === null && NEVER_CLEARED.includes(name))
      throw new Refused('field_invalid', `'${name}' cannot be cleared.`);
    values.set(name, op[name] || null);
  }
  if (op.type != null) {
    const { type, custom_type = null } = typeFields(tx, op.type);
    values.set('type', type).set('custom_type', custom_type);
    if (type !== 'group' && node.type === 'group' && tx.workspace.children(op.id).size > 0)
      throw new Refused(
        'group_not_empty',
        `'${op.id}' is a group with children; ungroup it, or move them, first.`,
      );
  }
  if (op.properties !== undefined)
    for (const [field, value] of propertyValues(node, op.properties)) values.set(field, value);
  setNode(tx, op.id, values);
}

/** Unlocking may be combined with other changes; only an outer lock forbids it. */
function checkLockChange(tx: Transaction, op: NodeChange, node: NodeRecord): void {
  const isUnlocked = op.locked !== undefined && !op.locked && node.locked;
  if (!isUnlocked) needUnlocked(tx, op.id);
  else if (node.parent !== undefined) needUnlocked(tx, node.parent);
}

/** Sets fields that differ. Routes at moved nodes are dropped, those by hand noted; `stays`: nothing moves. */
export function setNode(tx: Transaction, id: string, values: Values, way: 'moves' | 'stays' = 'moves'): void {
  const { workspace } = tx;
  const node = needNode(tx, id);
  const pairs = pairsOf(node, values);
  if (isEmptyPairs(pairs)) return;
  const step: NodeFieldsStep = { k: 'node=', id, b: node.birth, v: pairs };
  const parents = pairs.parent as [string | null, string | null] | undefined;
  const birthOf = (group: string | null) => (group === null ? null : needNode(tx, group).birth);
  if (parents) step.pb = [birthOf(parents[0]), birthOf(parents[1])];
  const isMoved = way === 'moves' && (pairs.parent || pairs.position);
  const edges = isMoved ? workspace.subtree(id).flatMap((moved) => workspace.edgesAt(moved)) : [];
  if (edges.some((edge) => isByHand(workspace.edges.get(edge)))) keptRoutes().note(tx, edges);
  tx.do(step);
  for (const edge of edges) {
    const record = workspace.edges.get(edge);
    if (record?.route && !isByHand(record)) setEdge(tx, edge, new Map([['route', null]]));
  }
}

/** Children move up or are deleted first, then edges, then the nodes; the innermost first. */
export function deleteNodes(
  tx: Transaction,
  ids: readonly string[],
  op: Omit<Read<'delete_node'>, 'op' | 'id'>,
): void {
  if (op.bridge) throw new NotPredicted('the server connects the neighbours');
  const { workspace } = tx;
  const wanted = new Set(ids);
  for (const id of wanted) {
    needNode(tx, id);
    needUnlocked(tx, id);
  }
  const doomed =
    op.children === 'delete' ? new Set([...wanted].flatMap((id) => workspace.subtree(id))) : wanted;
  for (const id of doomed) needUnlocked(tx, id);
  const depths = new Map([...doomed].map((id) => [id, workspace.ancestors(id).length]));
  const depth = (id: string) => depths.get(id) as number;
  for (const id of [...doomed].sort((one, other) => depth(other) - depth(one))) deleteOne(tx, id, doomed);
}

function deleteOne(tx: Transaction, id: string, doomed: ReadonlySet<string>): void {
  const { workspace } = tx;
  const { birth, ...fields } = needNode(tx, id);
  for (const child of [...workspace.children(id)])
    if (!doomed.has(child)) {
      needUnlocked(tx, child);
      lift(tx, child, fields.parent ?? null);
    }
  for (const edge of workspace.edgesAt(id)) removeEdge(tx, edge);
  const step: NodeStep = { k: 'node-', id, b: birth, n: fields };
  if (fields.parent !== undefined) step.pb = needNode(tx, fields.parent).birth;
  tx.do(step);
}

/** Moves a node into another group; without a position it stays where it is on screen. */
export function lift(tx: Transaction, id: string, parent: string | null, position?: XY): void {
  const { workspace } = tx;
  if (position) {
    setNode(
      tx,
      id,
      new Map<string, Json>([
        ['parent', parent],
        ['position', position as Json],
      ]),
    );
    return;
  }
  const node = needNode(tx, id);
  const [old, now] = [workspace.originOf(node.parent ?? null), workspace.originOf(parent)];
  const stays: Fields = {
    x: coordinate(node.position.x + old.x - now.x),
    y: coordinate(node.position.y + old.y - now.y),
  };
  setNode(
    tx,
    id,
    new Map<string, Json>([
      ['parent', parent],
      ['position', stays],
    ]),
    'stays',
  );
}
