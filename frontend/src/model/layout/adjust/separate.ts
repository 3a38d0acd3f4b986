/**
 * Moves nodes that lie on others aside, to the right or down, whichever is less; all others stay. Pure.
 *
 * Level by level, the innermost groups first: a group moves with all that is in it.
 */
import type { Diagram, DiagramNode } from '../../../protocol/types';
import { type Box, placeNodes } from '../../drawing/boxes';
import { lockedNodes } from '../../drawing/drawing';

const GAP = 24;
const ROUNDS = 200;

/** @param movable what may move; a group with something locked in it stays, too */
export function separated(diagram: Diagram, movable: ReadonlySet<string>): Diagram {
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
export function movableNodes({ nodes }: Diagram, ids: ReadonlySet<string> | null): Set<string> {
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
  for (let round = 0; round < ROUNDS && pushApart(boxes, movable); round += 1);
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
