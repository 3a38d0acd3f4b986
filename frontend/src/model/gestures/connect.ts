/** Connecting: two existing nodes, or one with a new node. Pure. */
import type { Operation, OperationOf } from '../../protocol/live';
import {
  type DiagramEdge,
  type DiagramNode,
  isAnnotation,
  type NodeType,
  type Point,
} from '../../protocol/types';
import { typeIdOf } from '../core/customTypes';
import type { Box } from '../drawing/boxes';
import { FreeIds } from './ids';
import { boxAround, freePlace, isFree, type Made, type NodeToAdd, nodeAt, sizeOf } from './place';
import type { Scene } from './scene';

/** Why a gesture cannot be carried out, in words. */
export interface Refusal {
  refusal: string;
  /** What to do about it. */
  advice: string;
}

export const isRefusal = (answer: object): answer is Refusal => 'refusal' in answer;

/** The direction from a node to one that is added beside it. */
export type Side = 'left' | 'right' | 'above' | 'below';

const AWAY: Readonly<Record<Side, Point>> = {
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
  above: { x: 0, y: -1 },
  below: { x: 0, y: 1 },
};
const GAP = 88;

/** Connects two nodes, unless the server would refuse it. */
export function connect(scene: Scene, source: string, target: string): Made | Refusal {
  if (source === target)
    return {
      refusal: `“${scene.labelOf(source)}” cannot be connected with itself`,
      advice: 'Choose another node as the target.',
    };
  const equal = scene.diagram.edges.find(
    (edge) => edge.source === source && edge.target === target && !edge.label && edge.kind === 'sync',
  );
  if (equal)
    return {
      refusal: `“${scene.labelOf(source)}” is already connected to “${scene.labelOf(target)}”`,
      advice: 'Give that connection a label, or another kind, before you add a second one.',
    };
  const edge = edgeBetween(scene, source, target);
  return { id: edge.id, operations: [edge] };
}

/** A line to a note or text has no direction, and nothing flows through it. */
function edgeBetween(
  scene: Scene,
  source: string,
  target: string,
  added?: string,
): OperationOf<'add_edge'> & { id: string } {
  const types = scene.diagram.nodes
    .filter(({ id }) => id === source || id === target)
    .map(({ type }) => type);
  return {
    op: 'add_edge',
    id: new FreeIds(scene.diagram.edges).forEdge(source, target),
    source,
    target,
    ...([...types, added ?? ''].some(isAnnotation) && ({ kind: 'dependency', direction: 'none' } as const)),
  };
}

/** Adds a node of a type with its centre at a point, and connects it, in one batch. */
export function connectToNew(scene: Scene, source: string, type: string, centre: Point): Made {
  return connected(scene, source, nodeAt(scene, type, centre));
}

/** What a node of a type most likely leads to; a service where nothing is more likely. */
const AFTER: Readonly<Partial<Record<string, NodeType>>> = {
  user: 'client',
  client: 'gateway',
  web: 'gateway',
  mobile: 'gateway',
  cdn: 'web',
  service: 'database',
  server: 'database',
  function: 'database',
  auth: 'database',
  ml_model: 'storage',
  queue: 'worker',
  stream: 'worker',
  scheduler: 'worker',
  worker: 'database',
  external: 'external',
  other: 'other',
};

/** The type that fits a node to which one of this type is connected. */
export const typeAfter = (type: string): NodeType => AFTER[type] ?? 'service';

/** Adds a connected node of the type that fits beside one, at a free place; in the same group. */
export function addBeside(scene: Scene, source: string, side: Side): Made | Refusal {
  const node = scene.nodes.get(source);
  if (!node) return GONE;
  return guessed(connected(scene, source, nodeBeside(scene, node, side, typeAfter(node.type))));
}

/** Adds a node that is connected as another one is: to the same source, if any; of the same type, in a row with it. */
export function addSibling(scene: Scene, id: string): Made | Refusal {
  const node = scene.nodes.get(id);
  if (!node) return GONE;
  const source = scene.diagram.edges.findLast(({ target }) => target === id)?.source;
  const [from, to] = [source !== undefined && scene.boxOf(source), scene.boxOf(id)];
  const isInColumn = from && to && (to.x >= from.x + from.width || to.x + to.width <= from.x);
  const added = nodeBeside(scene, node, isInColumn ? 'below' : 'right', typeIdOf(node));
  return guessed(
    source === undefined ? { id: added.id, operations: [added] } : connected(scene, source, added),
  );
}

const GONE: Refusal = { refusal: 'That node is no longer there', advice: 'Select another one.' };

const guessed = (made: Made): Made => ({ ...made, isTypeGuessed: true });

/** A node of a type beside another one, at the nearest free place; in the same group where that is beside it. */
function nodeBeside(scene: Scene, { id, parent }: DiagramNode, side: Side, type: string): NodeToAdd {
  const from = scene.boxOf(id) as Box;
  const size = sizeOf(type);
  const { x, y } = AWAY[side];
  const centre = {
    x: from.x + from.width / 2 + x * (from.width / 2 + GAP + size.width / 2),
    y: from.y + from.height / 2 + y * (from.height / 2 + GAP + size.height / 2),
  };
  if (!isFree(scene, boxAround(centre, size))) return nodeAt(scene, type, freePlace(scene, size, centre));
  return nodeAt(scene, type, centre, parent !== null && !scene.isLocked(parent) ? parent : null);
}

function connected(scene: Scene, source: string, node: NodeToAdd): Made {
  const operations: Operation[] = [node, edgeBetween(scene, source, node.id, node.type)];
  return { id: node.id, operations };
}

/** Reverses a connection. */
export const swapEnds = ({ id, source, target }: DiagramEdge): Operation => ({
  op: 'rewire_edge',
  id,
  new_source: target,
  new_target: source,
});

/** Why a changed connection would be refused; null where it would not. */
export function edgeRefusal(
  scene: Scene,
  id: string,
  changes: Partial<Pick<DiagramEdge, 'source' | 'target' | 'label' | 'kind'>>,
): Refusal | null {
  const before = scene.edges.get(id);
  if (!before) return { refusal: 'That connection is no longer there', advice: 'Select another one.' };
  const edge = { ...before, ...changes };
  if (edge.source === edge.target)
    return {
      refusal: `“${scene.labelOf(edge.source)}” cannot be connected with itself`,
      advice: 'Choose another node.',
    };
  const isEqual = (other: DiagramEdge) =>
    other.id !== id &&
    other.source === edge.source &&
    other.target === edge.target &&
    other.label === edge.label &&
    other.kind === edge.kind;
  if (!scene.diagram.edges.some(isEqual)) return null;
  return {
    refusal: `There is already such a connection from “${scene.labelOf(edge.source)}” to “${scene.labelOf(edge.target)}”`,
    advice: 'Two connections between the same nodes need different labels or kinds.',
  };
}
