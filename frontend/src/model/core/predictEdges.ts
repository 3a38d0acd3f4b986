/** Predictions of operations on edges. Twin of the server's `transform/resolvers/edges.py`. */
import type { EdgeFieldsStep } from '../../protocol/live';
import { isEmptyPairs, pairsOf, propertyValues, type Values } from './fieldPairs';
import type { Read } from './forms';
import { NotPredicted, Refused } from './refusal';
import { checkRoomForEdge, needNode, needUnlocked, newEdgeId, type Transaction, UNBORN } from './transaction';
import { EDGE_TEXTS, type EdgeRecord, type Json } from './workspace';

const DEFAULTS: { [field: string]: string } = {
  label: '',
  kind: 'sync',
  direction: 'forward',
};

/** Ends may be locked: adding edges is always allowed. Throws NotPredicted without an id: the server makes it. */
export function addEdge(tx: Transaction, op: Read<'add_edge'>): void {
  const { source, target } = op;
  const [from, to] = [needNode(tx, source), needNode(tx, target)];
  if (source === target) throw new Refused('self_loop', `'${source}' cannot be connected with itself.`);
  const fields: Record<string, Json> = {};
  for (const name of ['label', 'kind', 'direction', ...EDGE_TEXTS] as const)
    if (op[name] && op[name] !== DEFAULTS[name]) fields[name] = op[name];
  if (op.properties && Object.keys(op.properties).length > 0) fields.properties = op.properties;
  if (op.route && op.route.length > 0) fields.route = op.route;
  checkRoomForEdge(tx);
  if (op.id == null) throw new NotPredicted('the server makes the id');
  const id = newEdgeId(tx, op.id);
  checkUnequal(tx, source, target, op.label, op.kind);
  tx.do({ k: 'edge+', id, b: UNBORN, s: source, t: target, eb: [from.birth, to.birth], e: fields });
}

function checkUnequal(
  { workspace }: Transaction,
  source: string,
  target: string,
  label: Json | undefined,
  kind: Json | undefined,
  own = '',
): void {
  const equal = workspace.equalEdge(source, target, (label || '') as string, (kind || 'sync') as string, own);
  if (equal === null) return;
  const message = `'${equal}' already goes from '${source}' to '${target}' with this label and kind.`;
  throw new Refused('edge_duplicate', message);
}

/** The edge with an id. Throws NotPredicted without one: only the server looks an edge up by its ends. */
export function needEdge({ workspace }: Transaction, id: string | null | undefined): [string, EdgeRecord] {
  if (id == null) throw new NotPredicted('the server finds the edge');
  const edge = workspace.edges.get(id);
  if (edge === undefined) throw new Refused('edge_not_found', `There is no edge '${id.slice(0, 80)}'.`);
  return [id, edge];
}

/** Refuses to change or delete an edge that ends at a locked node. */
export function needUnlockedEnds(tx: Transaction, edge: EdgeRecord): void {
  needUnlocked(tx, edge.source);
  needUnlocked(tx, edge.target);
}

export function updateEdge(tx: Transaction, op: Read<'update_edge'>): void {
  const [id, edge] = needEdge(tx, op.id);
  needUnlockedEnds(tx, edge);
  const values: Values = new Map();
  for (const name of ['label', 'kind', 'direction', ...EDGE_TEXTS] as const) {
    if (op[name] === undefined) continue;
    if (op[name] === null && (name === 'kind' || name === 'direction'))
      throw new Refused('field_invalid', `'${name}' cannot be cleared.`);
    values.set(name, !op[name] || op[name] === DEFAULTS[name] ? null : op[name]);
  }
  if (op.route !== undefined) values.set('route', routeValue(op.route));
  if (op.properties !== undefined)
    for (const [field, value] of propertyValues(edge, op.properties)) values.set(field, value);
  if (values.has('label') || values.has('kind')) {
    const [label, kind] = ['label', 'kind'].map((name) => (values.has(name) ? values.get(name) : edge[name]));
    checkUnequal(tx, edge.source, edge.target, label, kind, id);
  }
  setEdge(tx, id, values);
}

/** Bend points as they are stored; an empty list is no route. */
export function routeValue(route: Read<'add_edge'>['route']): Json {
  return route && route.length > 0 ? route : null;
}

/** Sets fields of an edge that differ; not its ends. */
export function setEdge(tx: Transaction, id: string, values: Values): void {
  const [, edge] = needEdge(tx, id);
  const pairs = pairsOf(edge, values);
  if (!isEmptyPairs(pairs)) tx.do({ k: 'edge=', id, b: edge.birth, v: pairs });
}

export function deleteEdge(tx: Transaction, op: Read<'delete_edge'>): void {
  const [id] = needEdge(tx, op.id);
  removeEdge(tx, id);
}

/** Deletes an edge, unless an end of it is locked. */
export function removeEdge(tx: Transaction, id: string): void {
  const [, edge] = needEdge(tx, id);
  needUnlockedEnds(tx, edge);
  const { birth, source, target, ...fields } = edge;
  const births: [number, number] = [needNode(tx, source).birth, needNode(tx, target).birth];
  tx.do({ k: 'edge-', id, b: birth, s: source, t: target, eb: births, e: fields });
}

/** Changes the ends of an edge; its route is dropped in the same step. */
export function rewireEdge(tx: Transaction, op: Read<'rewire_edge'>): void {
  const [id, edge] = needEdge(tx, op.id);
  if (op.new_source == null && op.new_target == null)
    throw new Refused('field_missing', 'Give new_source, new_target, or both.');
  needUnlockedEnds(tx, edge);
  const [source, target] = [op.new_source ?? edge.source, op.new_target ?? edge.target];
  const births: [number, number] = [needNode(tx, source).birth, needNode(tx, target).birth];
  if (source === target) throw new Refused('self_loop', `'${source}' cannot be connected with itself.`);
  if (source === edge.source && target === edge.target) return;
  checkUnequal(tx, source, target, edge.label, edge.kind, id);
  const before: [number, number] = [needNode(tx, edge.source).birth, needNode(tx, edge.target).birth];
  const values = new Map<string, Json>([
    ['source', source],
    ['target', target],
    ['route', null],
  ]);
  const step: EdgeFieldsStep = {
    k: 'edge=',
    id,
    b: edge.birth,
    v: pairsOf(edge, values),
    eb: [before, births],
  };
  tx.do(step);
}
