/** Aligning, distributing and sizing a selection. Pure. */
import type { Operation } from '../../protocol/live';
import type { DiagramNode, Point } from '../../protocol/types';
import { typeIdOf } from '../core/customTypes';
import { coordinate } from '../core/numbers';
import { type Box, boxAround } from '../drawing/boxes';
import type { Refusal } from './connect';
import { lockRefusal } from './locks';
import type { Scene } from './scene';

type Axis = 'x' | 'y';
type Side = 'start' | 'middle' | 'end';

export type Arrangement =
  | { kind: 'align'; axis: Axis; side: Side }
  /** Equal gaps between the first and the last, which stay. */
  | { kind: 'distribute'; axis: Axis }
  /** In one row (axis x) or column (axis y), in the order in which they stand. */
  | { kind: 'line'; axis: Axis };

/** Pixels between nodes that are moved apart. */
const GAP = 24;
const EXTENT = { x: 'width', y: 'height' } as const;
const ACROSS = { x: 'y', y: 'x' } as const;

/**
 * Moves what is selected, within its groups: one `move_nodes`. What would lie on another selected node is moved on along the
 * other axis.
 */
export function arranged(scene: Scene, selected: Iterable<string>, how: Arrangement): Operation[] | Refusal {
  const ids = scene.outermost(selected);
  const least = how.kind === 'distribute' ? 3 : 2;
  if (ids.length < least)
    return {
      refusal: 'Nothing was moved',
      advice: `Select at least ${least === 2 ? 'two' : 'three'} nodes.`,
    };
  const refusal = lockRefusal(scene, ids, 'Nothing was moved');
  if (refusal) return refusal;
  const boxes = new Map(ids.flatMap((id) => [[id, scene.boxOf(id) as Box]]));
  const positions: Record<string, Point> = {};
  for (const [id, box] of placesOf(boxes, how)) {
    const before = boxes.get(id) as Box;
    const { x, y } = (scene.nodes.get(id) as DiagramNode).position;
    const at = { x: coordinate(x + box.x - before.x), y: coordinate(y + box.y - before.y) };
    if (at.x !== x || at.y !== y) positions[id] = at;
  }
  if (Object.keys(positions).length === 0)
    return { refusal: 'Nothing was moved', advice: 'They are arranged like that already.' };
  return [{ op: 'move_nodes', positions }];
}

/** The selected nodes with all that are of a type of one of them, or the connections of a kind. */
export function ofSameKind(
  scene: Scene,
  { nodes, edges }: { nodes: ReadonlySet<string>; edges: ReadonlySet<string> },
): { nodes: string[]; edges: string[] } {
  const types = new Set([...nodes].flatMap((id) => scene.nodes.get(id) ?? []).map(typeIdOf));
  const kinds = new Set([...edges].map((id) => scene.edges.get(id)?.kind));
  return {
    nodes: scene.diagram.nodes.filter((node) => types.has(typeIdOf(node))).map(({ id }) => id),
    edges: scene.diagram.edges.filter(({ kind }) => kinds.has(kind)).map(({ id }) => id),
  };
}

/** All nodes and connections of a colour that one of the selected has of its own; none where none has. */
export function ofSameColor(
  scene: Scene,
  { nodes, edges }: { nodes: ReadonlySet<string>; edges: ReadonlySet<string> },
): { nodes: string[]; edges: string[] } {
  const chosen = [
    ...[...nodes].map((id) => scene.nodes.get(id)),
    ...[...edges].map((id) => scene.edges.get(id)),
  ];
  const colors = new Set(chosen.flatMap((one) => one?.color || []));
  const idsOf = (all: readonly { id: string; color: string }[]) =>
    all.filter(({ color }) => colors.has(color)).map(({ id }) => id);
  return { nodes: idsOf(scene.diagram.nodes), edges: idsOf(scene.diagram.edges) };
}

/** What to resize so that all have the size of the largest: its boxes by id. Groups and other nodes have sizes of their own. */
export function inOneSize(scene: Scene, selected: Iterable<string>): Map<string, Box> | Refusal {
  const ids = scene.outermost(selected);
  const groups = ids.filter((id) => scene.nodes.get(id)?.type === 'group');
  const what = 'Nothing was resized';
  if (ids.length < 2) return { refusal: what, advice: 'Select at least two nodes.' };
  if (groups.length > 0 && groups.length < ids.length)
    return { refusal: what, advice: 'Select groups alone, or nodes alone.' };
  const refusal = lockRefusal(scene, ids, what);
  if (refusal) return refusal;
  const boxes = ids.map((id) => [id, scene.boxOf(id) as Box] as const);
  const width = Math.max(...boxes.map(([, box]) => box.width));
  const height = Math.max(...boxes.map(([, box]) => box.height));
  const smaller = boxes.filter(([, box]) => box.width !== width || box.height !== height);
  if (smaller.length === 0) return { refusal: what, advice: 'They are of one size already.' };
  return new Map(smaller.map(([id, box]) => [id, { ...box, width, height }]));
}

function placesOf(boxes: ReadonlyMap<string, Box>, how: Arrangement): Map<string, Box> {
  if (how.kind === 'distribute') return spread(boxes, how.axis);
  if (how.kind === 'line') return spread(aligned(boxes, ACROSS[how.axis], 'middle'), how.axis);
  // Those at one height keep the order in which they stood.
  const inOrder = new Map([...boxes].sort(([, a], [, b]) => a[how.axis] - b[how.axis]));
  return apart(aligned(inOrder, how.axis, how.side), ACROSS[how.axis]);
}

function aligned(boxes: ReadonlyMap<string, Box>, axis: Axis, side: Side): Map<string, Box> {
  const around = boxAround(boxes.values()) as Box;
  const share = { start: 0, middle: 0.5, end: 1 }[side];
  const extent = EXTENT[axis];
  return mapped(boxes, (box) => ({ ...box, [axis]: around[axis] + share * (around[extent] - box[extent]) }));
}

/** With equal gaps along an axis, in the order of their middles. Where there is no room, they reach beyond the last. */
function spread(boxes: ReadonlyMap<string, Box>, axis: Axis): Map<string, Box> {
  const extent = EXTENT[axis];
  const sorted = [...boxes].sort(([, a], [, b]) => a[axis] + a[extent] / 2 - b[axis] - b[extent] / 2);
  const around = boxAround(boxes.values()) as Box;
  const filled = sorted.reduce((sum, [, box]) => sum + box[extent], 0);
  const room = (around[extent] - filled) / (sorted.length - 1);
  const gap = room < 0 ? GAP : room;
  let at = around[axis];
  return new Map(
    sorted.map(([id, box]) => {
      const moved = { ...box, [axis]: at };
      at += box[extent] + gap;
      return [id, moved];
    }),
  );
}

/** Moves on along an axis what lies on the one before it; they are in line across the axis. */
function apart(boxes: ReadonlyMap<string, Box>, axis: Axis): Map<string, Box> {
  const extent = EXTENT[axis];
  const sorted = [...boxes].sort(([, a], [, b]) => a[axis] - b[axis]);
  let end = Number.NEGATIVE_INFINITY;
  return new Map(
    sorted.map(([id, box]) => {
      const at = box[axis] < end ? end + GAP : box[axis];
      end = at + box[extent];
      return [id, { ...box, [axis]: at }];
    }),
  );
}

const mapped = (boxes: ReadonlyMap<string, Box>, change: (box: Box) => Box): Map<string, Box> =>
  new Map([...boxes].map(([id, box]) => [id, change(box)]));
