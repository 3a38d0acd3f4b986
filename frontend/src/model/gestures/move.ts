/** The changes of a drag, a nudge or a resize of a group. Pure; snapping is in `snap.ts`. */
import type { Operation } from '../../protocol/live';
import type { Point, Size } from '../../protocol/types';
import type { WorkspaceState } from '../core/workspace';
import { type Box, boxAround, GROUP_PADDING, GROUP_TITLE } from '../drawing/boxes';
import { inside, onlyMoved, regroup } from './drop';

/** The nodes of a move. */
export interface Carried {
  /** Those that are moved themselves; their descendants follow. */
  roots: string[];
  /** All of them, with their descendants. */
  all: Set<string>;
}

/** What moves with a selection: without locked nodes, and each node once. */
export function carriedBy(view: WorkspaceState, ids: Iterable<string>): Carried {
  const wanted = new Set([...ids].filter((id) => view.nodes.has(id) && view.lockOn(id) === null));
  const roots = [...wanted].filter((id) => !view.ancestors(id).some((group) => wanted.has(group)));
  return { roots, all: new Set(roots.flatMap((id) => view.subtree(id))) };
}

/** The top left corners of nodes in the diagram. */
export const cornersOf = (view: WorkspaceState, ids: readonly string[]): Map<string, Point> =>
  new Map(ids.map((id) => [id, view.originOf(id)]));

/** Moves nodes within their groups: one `move_nodes`, or nothing. */
export function moved(view: WorkspaceState, corners: ReadonlyMap<string, Point>): Operation[] {
  const positions: Record<string, Point> = {};
  for (const [id, at] of corners) {
    const record = view.nodes.get(id);
    if (record) positions[id] = inside(view, record.parent ?? null, at);
  }
  const changed = onlyMoved(view, positions);
  return Object.keys(changed).length > 0 ? [{ op: 'move_nodes', positions: changed }] : [];
}

/** A drop: into the group under the pointer, or out of the one that it left. */
export function dropped(
  view: WorkspaceState,
  corners: ReadonlyMap<string, Point>,
  group: string | null,
): Operation[] {
  return regroup(view, [...corners.keys()], group, corners);
}

export const shifted = (corners: ReadonlyMap<string, Point>, { x, y }: Point): Map<string, Point> =>
  new Map([...corners].map(([id, at]) => [id, { x: at.x + x, y: at.y + y }]));

export type Handle = 'n' | 's' | 'e' | 'w' | 'ne' | 'nw' | 'se' | 'sw';
export const HANDLES: readonly Handle[] = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'];
const MIN: Size = { width: 96, height: 64 };
/** Of a note or text. */
export const SMALLEST_SHEET: Size = { width: 48, height: 32 };

/** A box with one of its sides or corners moved, never smaller than its contents. */
export function pulled(box: Box, handle: Handle, by: Point, children: readonly Box[], least = MIN): Box {
  const inner = boxAround(children);
  let [left, top] = [box.x, box.y];
  let [right, bottom] = [box.x + box.width, box.y + box.height];
  if (handle.includes('w'))
    left = Math.min(left + by.x, right - least.width, inner ? inner.x - GROUP_PADDING : Infinity);
  if (handle.includes('n'))
    top = Math.min(top + by.y, bottom - least.height, inner ? inner.y - GROUP_TITLE : Infinity);
  if (handle.includes('e'))
    right = Math.max(
      right + by.x,
      left + least.width,
      inner ? inner.x + inner.width + GROUP_PADDING : -Infinity,
    );
  if (handle.includes('s'))
    bottom = Math.max(
      bottom + by.y,
      top + least.height,
      inner ? inner.y + inner.height + GROUP_PADDING : -Infinity,
    );
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Resizes a group; its contents stay where they are in the diagram. */
export function resized(view: WorkspaceState, id: string, box: Box): Operation[] {
  const group = view.nodes.get(id);
  if (!group) return [];
  const origin = view.originOf(id);
  const corners = new Map<string, Point>([[id, { x: box.x, y: box.y }]]);
  const by = { x: origin.x - box.x, y: origin.y - box.y };
  const positions: Record<string, Point> = {
    [id]: inside(view, group.parent ?? null, corners.get(id) as Point),
  };
  if (by.x !== 0 || by.y !== 0)
    for (const child of view.children(id)) {
      const { position } = view.nodes.get(child) as { position: Point };
      positions[child] = { x: position.x + by.x, y: position.y + by.y };
    }
  const size = { width: Math.round(box.width), height: Math.round(box.height) };
  return [{ op: 'move_nodes', positions: onlyMoved(view, positions), sizes: { [id]: size } }];
}
