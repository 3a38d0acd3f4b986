/** Moves nodes by a little, so that the lines between them are straight; nothing gets nearer than before. Pure. */
import type { Diagram, DiagramNode } from '../../../protocol/types';
import { type Box, boxesOverlap, centreOf, inflated, placeNodes } from '../../drawing/boxes';

/** A node that is off by more was meant to be. */
const MOST = 28;
const GAP = 20;

export function aligned(diagram: Diagram, movable: ReadonlySet<string>): Diagram {
  const nodes = new Map(diagram.nodes.map((node) => [node.id, node]));
  const boxes = new Map([...placeNodes(diagram.nodes)].map(([id, { box }]) => [id, { ...box }]));
  const offs = diagram.edges.flatMap(({ source, target }) => offBy(boxes, source, target));
  const done = new Set<string>();
  for (const { axis, one, other } of offs.sort((a, b) => a.by - b.by)) {
    const id = [other, one].find((end) => !done.has(`${axis} ${end}`));
    const anchor = id === other ? one : other;
    if (!id || nodes.get(id)?.type === 'group' || !movable.has(id)) continue;
    const box = boxes.get(id) as Box;
    const by = Math.round(centreOf(boxes.get(anchor) as Box)[axis] - centreOf(box)[axis]);
    if (Math.abs(by) > MOST) continue;
    const moved = { ...box, [axis]: box[axis] + by };
    if (by !== 0 && !isFree(nodes, boxes, id, moved)) continue;
    boxes.set(id, moved);
    done.add(`${axis} ${id}`).add(`${axis} ${anchor}`);
    const node = nodes.get(id) as DiagramNode;
    nodes.set(id, { ...node, position: { ...node.position, [axis]: node.position[axis] + by } });
  }
  return { nodes: diagram.nodes.map(({ id }) => nodes.get(id) as DiagramNode), edges: diagram.edges };
}

interface Off {
  axis: 'x' | 'y';
  one: string;
  other: string;
  by: number;
}

/** How far two connected nodes are off the line that they nearly stand on. */
function offBy(boxes: ReadonlyMap<string, Box>, one: string, other: string): Off[] {
  const [a, b] = [boxes.get(one), boxes.get(other)];
  if (!a || !b || one === other) return [];
  const [from, to] = [centreOf(a), centreOf(b)];
  return (['x', 'y'] as const)
    .map((axis) => ({ axis, one, other, by: Math.abs(from[axis] - to[axis]) }))
    .filter(({ by }) => by <= MOST);
}

function isFree(
  nodes: ReadonlyMap<string, DiagramNode>,
  boxes: ReadonlyMap<string, Box>,
  id: string,
  box: Box,
): boolean {
  const parent = nodes.get(id)?.parent ?? null;
  for (const [other, { parent: theirs }] of nodes)
    if (other !== id && theirs === parent && boxesOverlap(inflated(box, GAP), boxes.get(other) as Box))
      return false;
  return true;
}
