/** The group into which something is dropped, and the change that moves it there. Pure. */
import type { Operation } from '../../protocol/live';
import type { Point } from '../../protocol/types';
import { coordinate } from '../core/numbers';
import type { WorkspaceState } from '../core/workspace';
import { holds } from '../drawing/boxes';
import { type Drawing, isFrame } from '../drawing/drawing';

/**
 * The innermost group at a point that accepts drops; null for none.
 *
 * @param except what is being dropped, with its descendants. A locked or collapsed group accepts nothing.
 */
export function groupAt(
  drawing: Drawing,
  point: Point,
  except: ReadonlySet<string> = new Set(),
): string | null {
  let found: string | null = null;
  // Outer groups come first, so the last that holds the point is the innermost.
  for (const drawn of drawing.nodes) {
    if (!isFrame(drawn) || drawn.isLocked || except.has(drawn.node.id)) continue;
    if (holds(drawn.box, point)) found = drawn.node.id;
  }
  return found;
}

/**
 * Moves nodes into a group, or out of every group for null.
 *
 * @param positions the new top left corners in the diagram; nodes without one stay where they are
 *
 * @returns one `move_to_group` for those that change groups, one `move_nodes` for the others
 */
export function regroup(
  view: WorkspaceState,
  ids: readonly string[],
  group: string | null,
  positions: ReadonlyMap<string, Point> = new Map(),
): Operation[] {
  const there = ids.filter((id) => view.nodes.has(id));
  const joining = there.filter((id) => (view.nodes.get(id)?.parent ?? null) !== group);
  const staying = there.filter((id) => !joining.includes(id) && positions.has(id));
  const relative = (some: readonly string[]): Record<string, Point> =>
    Object.fromEntries(
      some.flatMap((id) => {
        const at = positions.get(id);
        return at ? [[id, inside(view, group, at)]] : [];
      }),
    );
  const operations: Operation[] = [];
  if (joining.length > 0)
    operations.push({ op: 'move_to_group', ids: joining, group, positions: relative(joining) });
  const moved = onlyMoved(view, relative(staying));
  if (Object.keys(moved).length > 0) operations.push({ op: 'move_nodes', positions: moved });
  return operations;
}

/** A point of the diagram relative to a group. */
export function inside(view: WorkspaceState, group: string | null, { x, y }: Point): Point {
  const origin = view.originOf(group);
  return { x: coordinate(x - origin.x), y: coordinate(y - origin.y) };
}

/** Keeps positions, relative to the parents, that differ from the current ones. Nodes that are gone are left out. */
export function onlyMoved(view: WorkspaceState, positions: Record<string, Point>): Record<string, Point> {
  return Object.fromEntries(
    Object.entries(positions).filter(([id, { x, y }]) => {
      const now = view.nodes.get(id)?.position;
      return now && (now.x !== x || now.y !== y);
    }),
  );
}
