/** Adding a node: its position, its first name, its group. Pure. */
import type { Operation, OperationOf } from '../../protocol/live';
import type { Point, Size } from '../../protocol/types';
import { asType } from '../core/customTypes';
import { type Box, boxesOverlap, DEFAULT_SIZE, inflated } from '../drawing/boxes';
import { typeName } from '../words/kinds';
import { FreeIds } from './ids';
import type { Scene } from './scene';

const GRID = 8;
const SIZES: Readonly<Record<string, Size>> = {
  group: { width: 360, height: 240 },
  note: { width: 200, height: 112 },
  text: { width: 160, height: 40 },
};
/** Margin around a node that is placed automatically. */
const AIR = 16;
const STEP = 24;
const RINGS = 80;

/** The result of a gesture: its operations, and what is selected and renamed afterwards. */
export interface Made {
  id: string;
  operations: Operation[];
  /** Nobody has chosen the type of its node: a name that says another one decides. */
  isTypeGuessed?: boolean;
}

export type NodeToAdd = OperationOf<'add_node'> & { id: string; position: Point };

/** Of a built-in type. */
export const sizeOf = (type: string): Size => SIZES[type] ?? DEFAULT_SIZE;

/** A node of a type, built-in or a custom one by its id, with its centre at a point, inside the innermost group there. */
export function placeNode(scene: Scene, type: string, centre: Point): Made {
  const node = nodeAt(scene, type, centre);
  return { id: node.id, operations: [node] };
}

export function nodeAt(scene: Scene, type: string, centre: Point, group = scene.groupAt(centre)): NodeToAdd {
  const of = asType(type, scene.diagram.types);
  const size = sizeOf(of.type);
  const label = firstLabel(scene, typeName(of));
  const origin = scene.originOf(group);
  const x = onGrid(centre.x - size.width / 2) - origin.x;
  const y = onGrid(centre.y - size.height / 2) - origin.y;
  return {
    op: 'add_node',
    id: new FreeIds(scene.diagram.nodes).forNode(label, type),
    // A server newer than this page may know more types.
    type: type as NodeToAdd['type'],
    label,
    position: { x, y },
    ...(size !== DEFAULT_SIZE && { size }),
    ...(group !== null && { parent: group }),
  };
}

/** "Cache", or "Cache 2" where there is one. */
function firstLabel(scene: Scene, name: string): string {
  const taken = new Set(scene.diagram.nodes.map(({ label }) => label));
  for (let number = 1; ; number++) {
    const label = number === 1 ? name : `${name} ${number}`;
    if (!taken.has(label)) return label;
  }
}

export const onGrid = (value: number): number => Math.round(value / GRID) * GRID;

/**
 * The centre of the nearest free place for a box of that size, searched in rings around a point.
 *
 * Free means that it covers no node and no border of a group. Where nothing is free within reach, the point itself.
 */
export function freePlace(scene: Scene, size: Size, from: Point): Point {
  const start = { x: onGrid(from.x), y: onGrid(from.y) };
  for (let ring = 0; ring <= RINGS; ring++)
    for (const { x, y } of onRing(ring)) {
      const centre = { x: start.x + x * STEP, y: start.y + y * STEP };
      if (isFree(scene, boxAround(centre, size))) return centre;
    }
  return start;
}

/** Offsets on the border of a square, the nearest first. */
function onRing(ring: number): Point[] {
  const found: Point[] = [];
  for (let x = -ring; x <= ring; x++)
    for (let y = -ring; y <= ring; y++) if (Math.max(Math.abs(x), Math.abs(y)) === ring) found.push({ x, y });
  return found.sort((one, other) => Math.hypot(one.x, one.y) - Math.hypot(other.x, other.y));
}

export const boxAround = (centre: Point, { width, height }: Size): Box => ({
  x: centre.x - width / 2,
  y: centre.y - height / 2,
  width,
  height,
});

export function isFree(scene: Scene, box: Box): boolean {
  const wide = inflated(box, AIR);
  return scene.diagram.nodes.every(({ id, type }) => {
    const other = scene.boxOf(id);
    if (!other || !boxesOverlap(wide, other)) return true;
    return type === 'group' && holds(other, wide);
  });
}

const holds = (outer: Box, inner: Box): boolean =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height;
