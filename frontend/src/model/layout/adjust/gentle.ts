/** Improvements of a diagram that keep the order of its nodes, from left to right and from top to bottom. Pure. */
import type { Diagram, DiagramNode } from '../../../protocol/types';
import { type Box, boxesOverlap, centreOf, inflated, placeNodes } from '../../drawing/boxes';
import { lockedNodes } from '../../drawing/drawing';

/** Ways of our own, from the least change to the most; the library's come after them. */
export const GENTLE_WAYS = ['flaws', 'lines', 'separate', 'align'] as const;
export type GentleWay = (typeof GENTLE_WAYS)[number];

/** The diagram with its nodes where a way puts them; lines of nodes that moved have no route. */
export function gentleDiagram(diagram: Diagram, ids: readonly string[] | null, way: GentleWay): Diagram {
  if (way === 'flaws' || way === 'lines') return diagram;
  const movable = movableNodes(diagram, ids && new Set(ids));
  const apart = separated(diagram, movable);
  return way === 'align' ? aligned(apart, movable) : apart;
}

/** Of the pairs of nodes of one group, as many have to keep their order. */
const KEPT = 0.95;

/** Whether nodes are left of and above the same ones as before, but for a few. */
export function keepsPicture(before: Diagram, after: Diagram): boolean {
  const [was, now] = [placeNodes(before.nodes), placeNodes(after.nodes)];
  let [kept, all] = [0, 0];
  const siblings = new Map<string | null, DiagramNode[]>();
  for (const node of before.nodes) siblings.set(node.parent, [...(siblings.get(node.parent) ?? []), node]);
  for (const group of siblings.values())
    group.forEach(({ id: one }, at) => {
      for (const { id: other } of group.slice(at + 1)) {
        const [a, b] = [was.get(one)?.box, was.get(other)?.box];
        const [c, d] = [now.get(one)?.box, now.get(other)?.box];
        if (!a || !b || !c || !d) continue;
        for (const axis of ['x', 'y'] as const) {
          const extent = axis === 'x' ? 'width' : 'height';
          const isBefore = a[axis] + a[extent] <= b[axis];
          const isAfter = b[axis] + b[extent] <= a[axis];
          if (!isBefore && !isAfter) continue;
          all += 1;
          if (centreOf(c)[axis] < centreOf(d)[axis] === isBefore) kept += 1;
        }
      }
    });
  return kept >= KEPT * all;
}

/** Between nodes that lay on one another, in pixels. */
const GAP = 24;
const MAX_ROUNDS = 200;

/**
 * Moves nodes that lie on others aside, to the right or down, whichever is less; all others stay.
 *
 * Level by level, the innermost groups first: a group moves with all that is in it.
 *
 * @param movable what may move; a group with something locked in it stays, too
 */
function separated(diagram: Diagram, movable: ReadonlySet<string>): Diagram {
  const depths = new Map([...placeNodes(diagram.nodes)].map(([id, { depth }]) => [id, depth]));
  const parents = [...new Set(diagram.nodes.map(({ parent }) => parent))];
  const innermostFirst = parents.sort((a, b) => depthOf(depths, b) - depthOf(depths, a));
  let nodes: DiagramNode[] = [...diagram.nodes];
  for (const parent of innermostFirst) nodes = withoutOverlaps(nodes, parent, movable);
  const was = new Map(diagram.nodes.map((node) => [node.id, node]));
  const moved = new Set(nodes.filter((node) => was.get(node.id) !== node).map(({ id }) => id));
  return moved.size === 0 ? diagram : { nodes, edges: diagram.edges };
}

const depthOf = (depths: ReadonlyMap<string, number>, id: string | null): number =>
  id === null ? -1 : (depths.get(id) ?? -1);

/** What may move: not locked, and holding nothing that is. */
function movableNodes({ nodes }: Diagram, ids: ReadonlySet<string> | null): Set<string> {
  const parents = new Map(nodes.map(({ id, parent }) => [id, parent]));
  const fixed = new Set<string>();
  for (const id of lockedNodes(nodes))
    for (let at: string | null = id; at !== null && !fixed.has(at); at = parents.get(at) ?? null)
      fixed.add(at);
  return new Set(nodes.map(({ id }) => id).filter((id) => !fixed.has(id) && (!ids || ids.has(id))));
}

function withoutOverlaps(
  nodes: readonly DiagramNode[],
  parent: string | null,
  movable: ReadonlySet<string>,
): DiagramNode[] {
  const places = placeNodes(nodes);
  const boxes = nodes
    .filter((node) => node.parent === parent)
    .map(({ id }) => ({ id, box: { ...(places.get(id)?.box as Box) } }))
    .sort((a, b) => a.box.x + a.box.y - b.box.x - b.box.y);
  for (let round = 0; round < MAX_ROUNDS && pushApart(boxes, movable); round += 1);
  const shifts = new Map(
    boxes.map(({ id, box }) => {
      const was = places.get(id)?.box as Box;
      return [id, { x: box.x - was.x, y: box.y - was.y }];
    }),
  );
  return nodes.map((node) => {
    const shift = shifts.get(node.id);
    if (!shift || (shift.x === 0 && shift.y === 0)) return node;
    return { ...node, position: { x: node.position.x + shift.x, y: node.position.y + shift.y } };
  });
}

/** One push for each pair that overlaps; returns whether there was one. */
function pushApart(boxes: readonly { id: string; box: Box }[], movable: ReadonlySet<string>): boolean {
  let isPushed = false;
  boxes.forEach((one, at) => {
    for (const other of boxes.slice(at + 1)) {
      const [a, b] = [one.box, other.box];
      const right = a.x + a.width - b.x;
      const down = a.y + a.height - b.y;
      if (right <= 0 || b.x + b.width <= a.x || down <= 0 || b.y + b.height <= a.y) continue;
      const [ahead, behind] = movable.has(other.id) ? [other, one] : [one, other];
      if (!movable.has(ahead.id)) continue;
      isPushed = true;
      const byX = behind.box.x + behind.box.width + GAP - ahead.box.x;
      const byY = behind.box.y + behind.box.height + GAP - ahead.box.y;
      if (byX <= byY) ahead.box.x += Math.ceil(byX);
      else ahead.box.y += Math.ceil(byY);
    }
  });
  return isPushed;
}

/** A node that is off by more was meant to be. */
const MAX_SHIFT = 28;
/** Around a node that is moved, in pixels. */
const CLEARANCE = 20;

/** Moves nodes by a little, so that the lines between them are straight; nothing gets nearer than before. */
function aligned(diagram: Diagram, movable: ReadonlySet<string>): Diagram {
  const nodes = new Map(diagram.nodes.map((node) => [node.id, node]));
  const boxes = new Map([...placeNodes(diagram.nodes)].map(([id, { box }]) => [id, { ...box }]));
  const offsets = diagram.edges.flatMap(({ source, target }) => offsetsBetween(boxes, source, target));
  const done = new Set<string>();
  for (const { axis, one, other } of offsets.sort((a, b) => a.by - b.by)) {
    const id = [other, one].find((end) => !done.has(`${axis} ${end}`));
    const anchor = id === other ? one : other;
    if (!id || nodes.get(id)?.type === 'group' || !movable.has(id)) continue;
    const box = boxes.get(id) as Box;
    const by = Math.round(centreOf(boxes.get(anchor) as Box)[axis] - centreOf(box)[axis]);
    if (Math.abs(by) > MAX_SHIFT) continue;
    const moved = { ...box, [axis]: box[axis] + by };
    if (by !== 0 && !isFree(nodes, boxes, id, moved)) continue;
    boxes.set(id, moved);
    done.add(`${axis} ${id}`).add(`${axis} ${anchor}`);
    const node = nodes.get(id) as DiagramNode;
    nodes.set(id, { ...node, position: { ...node.position, [axis]: node.position[axis] + by } });
  }
  return { nodes: diagram.nodes.map(({ id }) => nodes.get(id) as DiagramNode), edges: diagram.edges };
}

interface Offset {
  axis: 'x' | 'y';
  one: string;
  other: string;
  by: number;
}

/** How far two connected nodes are off the line that they nearly stand on. */
function offsetsBetween(boxes: ReadonlyMap<string, Box>, one: string, other: string): Offset[] {
  const [a, b] = [boxes.get(one), boxes.get(other)];
  if (!a || !b || one === other) return [];
  const [from, to] = [centreOf(a), centreOf(b)];
  return (['x', 'y'] as const)
    .map((axis) => ({ axis, one, other, by: Math.abs(from[axis] - to[axis]) }))
    .filter(({ by }) => by <= MAX_SHIFT);
}

function isFree(
  nodes: ReadonlyMap<string, DiagramNode>,
  boxes: ReadonlyMap<string, Box>,
  id: string,
  box: Box,
): boolean {
  const parent = nodes.get(id)?.parent ?? null;
  for (const [other, { parent: theirs }] of nodes)
    if (other !== id && theirs === parent && boxesOverlap(inflated(box, CLEARANCE), boxes.get(other) as Box))
      return false;
  return true;
}
