/**
 * A diagram as it is drawn: boxes, lines and places of labels, from nodes and edges alone.
 * Pure; the view turns a `Drawing` into elements and decides nothing about geometry itself.
 */
import type { Diagram, DiagramEdge, DiagramNode, Point } from '../protocol/types';
import { type Box, GROUP_TITLE, inflated, placeNodes } from './boxes';
import { type MeasureText, type PlacedLabel, placeLabels } from './labels';
import { routeEdges } from './routing';

// Type aliases, not interfaces: the drawing library takes only what is open to any key.
export type DrawnNode = {
  node: DiagramNode;
  box: Box;
  /** 0 outside every group. */
  depth: number;
  /** Locked itself or by a group around it. */
  isLocked: boolean;
  /** Number of edges that end here. */
  connections: number;
};

export type DrawnEdge = {
  edge: DiagramEdge;
  points: Point[];
  /** Null without a label. */
  label: PlacedLabel | null;
};

export interface Drawing {
  /** Outer groups before what stands in them. */
  nodes: DrawnNode[];
  edges: DrawnEdge[];
}

/** @param measure how wide the text of a label is; estimated where nobody can tell */
export function drawingOf(diagram: Diagram, measure?: MeasureText): Drawing {
  const placed = placeNodes(diagram.nodes);
  const boxes = new Map([...placed].map(([id, { box }]) => [id, box]));
  const solid = new Map(
    diagram.nodes.flatMap((node) =>
      node.type === 'group' ? [] : [[node.id, boxes.get(node.id) as Box] as const],
    ),
  );
  const titles = diagram.nodes
    .filter((node) => node.type === 'group')
    .map((node) => titleOf(boxes.get(node.id) as Box, node.label));
  const lines = routeEdges(diagram.edges, boxes, { nodes: solid, titles });
  const requests = diagram.edges.flatMap(({ id, label }) => {
    const points = lines.get(id);
    return points ? [{ id, text: label, points }] : [];
  });
  const taken = [...[...solid.values()].map((box) => inflated(box, 2)), ...titles];
  const labels = placeLabels(requests, taken, measure);
  const degrees = degreesOf(diagram.edges);
  const locked = lockedNodes(diagram.nodes);
  const nodes = diagram.nodes.map((node) => {
    const { box, depth } = placed.get(node.id) as { box: Box; depth: number };
    return { node, box, depth, isLocked: locked.has(node.id), connections: degrees.get(node.id) ?? 0 };
  });
  const edges = diagram.edges.flatMap((edge) => {
    const points = lines.get(edge.id);
    return points ? [{ edge, points, label: labels.get(edge.id) ?? null }] : [];
  });
  return { nodes: nodes.sort((a, b) => a.depth - b.depth), edges };
}

/** The strip in which a group's title is written. */
function titleOf(box: Box, label: string): Box {
  return {
    x: box.x,
    y: box.y,
    width: Math.min(box.width, label.length * 7.4 + 24),
    height: GROUP_TITLE - 8,
  };
}

function degreesOf(edges: readonly DiagramEdge[]): Map<string, number> {
  const degrees = new Map<string, number>();
  for (const { source, target } of edges) {
    degrees.set(source, (degrees.get(source) ?? 0) + 1);
    degrees.set(target, (degrees.get(target) ?? 0) + 1);
  }
  return degrees;
}

/** Ids of the nodes that are locked themselves or stand in a locked group. */
export function lockedNodes(nodes: readonly DiagramNode[]): Set<string> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const locked = new Set<string>();
  for (const node of nodes) {
    const seen = new Set<string>();
    let link: DiagramNode | undefined = node;
    while (link && !seen.has(link.id)) {
      seen.add(link.id);
      if (link.locked) {
        locked.add(node.id);
        break;
      }
      link = link.parent === null ? undefined : byId.get(link.parent);
    }
  }
  return locked;
}
