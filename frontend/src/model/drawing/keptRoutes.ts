/**
 * How the bends of a line by hand follow when its ends move. Twin of the server's `model/routes.py`, bit for bit.
 *
 * A route is a list of bends, relative to the diagram; a line leads from the border of its source along them to the border
 * of its target. Pure. Not here: how a line is drawn (`model/drawing/routing.ts`).
 */
import type { DiagramEdge } from '../../protocol/types';
import type { Values } from '../core/fieldPairs';
import { byHand, type EndBox, isByHand } from '../core/handRoutes';
import { coordinate, rounded } from '../core/numbers';
import { setEdge } from '../core/predictEdges';
import type { Transaction } from '../core/transaction';
import { type Json, same } from '../core/values';
import type { EdgeRecord, WorkspaceState, XY } from '../core/workspace';
import { borderTowards } from './borders';

export type Ends = readonly [EndBox, EndBox];
type Axis = 'x' | 'y';

export const MOST_BENDS = 100;
const DEFAULT_SIZE = { width: 180, height: 72 };
const PADDING = 24;
const EXTENT = { x: 'width', y: 'height' } as const;

const isStraight = (edge: { readonly shape?: string } | undefined): boolean => edge?.shape === 'straight';

function note(tx: Transaction, ids: readonly string[]): void {
  const { workspace } = tx;
  tx.moving ??= new Map();
  for (const id of ids) {
    const edge = workspace.edges.get(id);
    if (!edge?.route || !isByHand(edge) || tx.moving.has(id)) continue;
    const { route } = edge;
    const before = endBoxes(workspace, id);
    tx.moving.set(id, () =>
      keptRoute(route, before, endBoxes(workspace, id), isStraight(workspace.edges.get(id))),
    );
  }
}

function keep(tx: Transaction): void {
  const known = [...(tx.moving ?? [])].sort(([one], [other]) => (one < other ? -1 : 1));
  for (const [id, follow] of known)
    if (isByHand(tx.workspace.edges.get(id)))
      setEdge(
        tx,
        id,
        new Map<string, Json>([
          ['route', follow()],
          ['route_by', 'hand'],
        ]),
      );
  delete tx.moving;
}

/** Turned around it is the same line, one by hand follows its ends. */
function drawnBetween(tx: Transaction, id: string, source: string, target: string): Values {
  const edge = tx.workspace.edges.get(id) as EdgeRecord;
  const values: Values = new Map();
  const isTurned = source === edge.target && target === edge.source;
  if (isTurned && edge.label_at !== undefined) values.set('label_at', rounded(1 - edge.label_at));
  if (!isByHand(edge)) values.set('route', null);
  else if (isTurned) values.set('route', [...(edge.route ?? [])].reverse());
  else note(tx, [id]);
  return values;
}

function followed(
  edge: DiagramEdge,
  from: ReadonlyMap<string, EndBox>,
  to: ReadonlyMap<string, EndBox>,
): DiagramEdge {
  const endsIn = (boxes: typeof from) => [boxes.get(edge.source), boxes.get(edge.target)] as unknown as Ends;
  const route = keptRoute(edge.route ?? [], endsIn(from), endsIn(to), isStraight(edge));
  return same(route, edge.route) ? edge : { ...edge, route };
}

/** Has the page predict and draw by this rule. */
export function startKeptRoutes(): void {
  byHand.part = { note, keep, drawnBetween, followed };
}

/** The boxes of both ends of an edge, as the server computes them. */
export function endBoxes(workspace: WorkspaceState, id: string): Ends {
  const { source, target } = workspace.edges.get(id) as EdgeRecord;
  const boxOf = (node: string): EndBox => ({ ...workspace.originOf(node), ...sizeOf(workspace, node) });
  return [boxOf(source), boxOf(target)];
}

/** A group is grown to fit its children, to the right and downwards. */
function sizeOf(workspace: WorkspaceState, id: string): { width: number; height: number } {
  const node = workspace.nodes.get(id);
  const { width, height } = node?.size ?? DEFAULT_SIZE;
  const children = workspace.children(id);
  if (node?.type !== 'group' || children.size === 0) return { width, height };
  let [right, bottom] = [0, 0];
  for (const child of children) {
    const { x, y } = workspace.nodes.get(child)?.position ?? { x: 0, y: 0 };
    const size = sizeOf(workspace, child);
    right = Math.max(right, x + size.width);
    bottom = Math.max(bottom, y + size.height);
  }
  return { width: Math.max(width, right + PADDING), height: Math.max(height, bottom + PADDING) };
}

/**
 * The bends after the ends have moved, at most `MOST_BENDS`.
 *
 * Where both ends move, all bends move by the mean of the two. What is left of each move shifts the segment at that end,
 * along the border it leads to. Where the line goes straight on from that segment, it gets a bend. Of a straight line, which has
 * no right angles to keep, the bends stay.
 */
export function keptRoute(route: readonly XY[], before: Ends, after: Ends, isStraight = false): XY[] {
  const by = commonMove(before, after);
  const moved = <P extends XY>(one: P): P => ({ ...one, x: one.x + by.x, y: one.y + by.y });
  const [source, target] = [moved(before[0]), moved(before[1])];
  const there = route.map((bend) => pointOf(bend.x + by.x, bend.y + by.y));
  if (isStraight) return there;
  const bends = withEnd(there, source, after[0], target);
  return withEnd(bends.reverse(), target, after[1], after[0]).reverse();
}

/** The mean of both moves; nothing if an end stays. */
function commonMove(before: Ends, after: Ends): XY {
  const [one, other] = [0, 1].map((at) => ({
    x: (after[at] as EndBox).x - (before[at] as EndBox).x,
    y: (after[at] as EndBox).y - (before[at] as EndBox).y,
  })) as [XY, XY];
  if ([one, other].some(({ x, y }) => x === 0 && y === 0)) return { x: 0, y: 0 };
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
}

/** The bends, the nearest first, after the node before them has moved; `other`: the node behind them. */
function withEnd(bends: XY[], old: EndBox, now: EndBox, other: EndBox): XY[] {
  const [first, ...rest] = bends as [XY, ...XY[]];
  const following = rest[0] ?? borderTowards(other, first);
  const axis = across(first, following, old);
  if (axis === null) return bends;
  const at = coordinate(carried(first[axis], old, now, axis));
  if (at === first[axis]) return bends;
  const moved = { ...first, [axis]: at };
  if (following[axis] === first[axis] && bends.length < MOST_BENDS) return [moved, ...bends];
  const isRepeated = rest[0]?.x === moved.x && rest[0].y === moved.y;
  return [moved, ...(isRepeated ? rest.slice(1) : rest)];
}

/** The axis along which the end of a line can be shifted: across its first segment. Null if that is slanted. */
function across(first: XY, following: XY, box: EndBox): Axis | null {
  const isBeside = box.y < first.y && first.y < box.y + box.height;
  const isAbove = box.x < first.x && first.x < box.x + box.width;
  if (isBeside !== isAbove) return isBeside ? 'y' : 'x';
  if (isBeside && following.x === first.x) return 'y';
  return isBeside && following.y === first.y ? 'x' : null;
}

/** A coordinate at the same place along a side that has moved, or the same share of one of another length. */
function carried(at: number, old: EndBox, now: EndBox, axis: Axis): number {
  const extent = EXTENT[axis];
  if (old[extent] === now[extent]) return at + (now[axis] - old[axis]);
  return now[axis] + (at - old[axis]) * (now[extent] / old[extent]);
}

const pointOf = (x: number, y: number): XY => ({ x: coordinate(x), y: coordinate(y) });
