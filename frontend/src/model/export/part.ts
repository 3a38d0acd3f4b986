/**
 * A part of a diagram as a diagram of its own: the chosen nodes with their descendants, the edges among these, and
 * their ancestors, drawn no larger than what they hold of it. Pure.
 */
import type { Diagram, DiagramNode } from '../../protocol/types';
import { type Box, boxAround, GROUP_PADDING, GROUP_TITLE, placeNodes } from '../drawing/boxes';
import { titleOf } from '../drawing/drawing';

export interface Chosen {
  nodes: ReadonlySet<string>;
  edges: ReadonlySet<string>;
}

/** Ids of all chosen nodes: selected, with a selected ancestor, or the end of a selected edge. */
export function chosenNodes({ nodes, edges }: Diagram, chosen: Chosen): Set<string> {
  const found = new Set(nodes.map(({ id }) => id).filter((id) => chosen.nodes.has(id)));
  for (const { id, source, target } of edges) {
    if (!chosen.edges.has(id)) continue;
    found.add(source);
    found.add(target);
  }
  const byId = new Map(nodes.map((node) => [node.id, node]));
  for (const node of nodes) {
    if (ancestorsOf(node, byId).some(({ id }) => found.has(id) && byId.get(id)?.type === 'group'))
      found.add(node.id);
  }
  return found;
}

export function partOf(diagram: Diagram, chosen: Chosen): Diagram {
  const inside = chosenNodes(diagram, chosen);
  const byId = new Map(diagram.nodes.map((node) => [node.id, node]));
  const around = new Set<string>();
  for (const id of inside) {
    const node = byId.get(id);
    for (const { id: outer } of node ? ancestorsOf(node, byId) : [])
      if (!inside.has(outer)) around.add(outer);
  }
  const boxes = shrunk(diagram, inside, around);
  const nodes = diagram.nodes.flatMap((node) => {
    const box = boxes.get(node.id);
    if (!box) return [];
    const parent = node.parent === null ? undefined : boxes.get(node.parent);
    const position = { x: box.x - (parent?.x ?? 0), y: box.y - (parent?.y ?? 0) };
    return [{ ...node, position, size: { width: box.width, height: box.height } }];
  });
  const edges = diagram.edges.filter(({ source, target }) => inside.has(source) && inside.has(target));
  return { nodes, edges };
}

/** The boxes of the part in the diagram's coordinates; ancestors shrink to what they hold. */
function shrunk(
  { nodes }: Diagram,
  inside: ReadonlySet<string>,
  around: ReadonlySet<string>,
): Map<string, Box> {
  const placed = placeNodes(nodes);
  const boxes = new Map<string, Box>();
  const deepestFirst = [...nodes].sort(
    (a, b) => (placed.get(b.id)?.depth ?? 0) - (placed.get(a.id)?.depth ?? 0),
  );
  const held = new Map<string, Box[]>();
  for (const node of deepestFirst) {
    const own = placed.get(node.id)?.box;
    if (!own || !(inside.has(node.id) || around.has(node.id))) continue;
    const box = inside.has(node.id) ? own : (closeAround(held.get(node.id) ?? [], own, node) ?? own);
    boxes.set(node.id, box);
    if (node.parent !== null) held.set(node.parent, [...(held.get(node.parent) ?? []), box]);
  }
  return boxes;
}

/** At least as wide as its title, but no wider than it is. */
function closeAround(boxes: readonly Box[], own: Box, { label }: DiagramNode): Box | null {
  const box = boxAround(boxes);
  if (!box) return null;
  const titled = Math.min(own.width, titleOf(own, label).width);
  return {
    x: box.x - GROUP_PADDING,
    y: box.y - GROUP_TITLE,
    width: Math.max(titled, box.width + 2 * GROUP_PADDING),
    height: box.height + GROUP_TITLE + GROUP_PADDING,
  };
}

function ancestorsOf(node: DiagramNode, byId: ReadonlyMap<string, DiagramNode>): DiagramNode[] {
  const found: DiagramNode[] = [];
  const seen = new Set([node.id]);
  let parent = node.parent === null ? undefined : byId.get(node.parent);
  while (parent && !seen.has(parent.id)) {
    seen.add(parent.id);
    found.push(parent);
    parent = parent.parent === null ? undefined : byId.get(parent.parent);
  }
  return found;
}
