/**
 * A diagram as it is drawn: boxes, lines and positions of labels, from nodes and edges alone. Pure; the view turns a
 * `Drawing` into elements and decides nothing about geometry itself. Not here: updating a drawing (`incremental.ts`).
 */
import type { Diagram, DiagramEdge, DiagramNode, Point } from '../../protocol/types';
import { type Box, GROUP_TITLE, inflated, type Placed, placeNodes } from './boxes';
import { type Folds, NO_FOLDS } from './folding';
import {
  estimatedWidth,
  type LabelRequest,
  labelShapes,
  type MeasureText,
  type PlacedLabel,
  placeLabels,
  pointAt,
} from './labels';
import type { StayingLines } from './moved/stayingLines';
import { lengthOf, type Side } from './polyline';
import { quickRoutes } from './quickRouting';
import { routeEdges } from './routing';

// Type aliases, not interfaces: React Flow takes only types with an index signature.
export type DrawnNode = {
  node: DiagramNode;
  box: Box;
  /** 0 outside every group. */
  depth: number;
  /** Locked itself or by an ancestor. */
  isLocked: boolean;
  /** Number of edges that end here. */
  connections: number;
  /** For a collapsed group, how many nodes it holds; null for anything else. */
  folded: number | null;
};

/** How a line leads from one box to the other: the sides, and what an `elbow` between them is made with. */
export interface Way {
  sides: readonly [Side, Side];
  ratio: number;
  reach: number;
}

export type DrawnEdge = {
  edge: DiagramEdge;
  points: Point[];
  /**
   * Of a line that was drawn while its end moved, and stays as it was shown then as long as its ends do: how it was found, or
   * null where both its ends moved alike.
   */
  found?: Way | null | undefined;
  /** Null without a label. */
  label: PlacedLabel | null;
};

/** Whether lines and labels avoid everything else, or are drawn quickly. */
export type RoutingQuality = 'full' | 'quick';

export interface Drawing {
  /** Groups before their children. */
  nodes: DrawnNode[];
  edges: DrawnEdge[];
  routing: RoutingQuality;
}

export interface DrawingOptions {
  /** Measures the text of a label; estimated by default. */
  measure?: MeasureText | undefined;
  /** The collapsed groups; the diagram was folded accordingly. */
  folds?: Folds | undefined;
  routing?: RoutingQuality | undefined;
  /** Lines that stay as they are, with full routing (`routeEdges`). */
  kept?: StayingLines | undefined;
}

/** With more nodes times edges full routing is too slow. */
export const FULL_ROUTING_UP_TO = 120_000;

export function drawingOf(diagram: Diagram, options: MeasureText | DrawingOptions = {}): Drawing {
  const {
    measure,
    folds = NO_FOLDS,
    routing,
    kept,
  } = typeof options === 'function' ? { measure: options } : options;
  const isFullRouting = diagram.nodes.length * diagram.edges.length <= FULL_ROUTING_UP_TO;
  const chosen = routing ?? (isFullRouting ? 'full' : 'quick');
  const placed = placeNodes(diagram.nodes);
  const nodes = drawnNodes(diagram, placed, folds);
  const boxes = boxesOf(nodes);
  const lines =
    chosen === 'quick'
      ? quickRoutes(diagram.edges, boxes)
      : routeEdges(diagram.edges, boxes, obstaclesOf(nodes), kept);
  const edges = drawnEdges(diagram.edges, lines, nodes, chosen, measure);
  return { nodes, edges, routing: chosen };
}

/** Edges with their lines, and labels on these. */
export function drawnEdges(
  edges: readonly DiagramEdge[],
  lines: ReadonlyMap<string, Point[]>,
  nodes: readonly DrawnNode[],
  routing: RoutingQuality,
  measure?: MeasureText,
): DrawnEdge[] {
  const requests = edges.flatMap(({ id, label: text, label_at: at }) => {
    const points = lines.get(id);
    return points ? [{ id, text, points, at }] : [];
  });
  const labels =
    routing === 'quick'
      ? new Map(requests.map((request) => [request.id, request.text ? quickLabel(request, measure) : null]))
      : placeLabels(requests, occupiedBy(nodes), measure);
  return edges.flatMap((edge) => {
    const points = lines.get(edge.id);
    return points ? [{ edge, points, label: labels.get(edge.id) ?? null }] : [];
  });
}

/** The nodes with their boxes, outer groups first. */
export function drawnNodes(
  { nodes, edges }: Diagram,
  placed: ReadonlyMap<string, Placed>,
  folds: Folds,
): DrawnNode[] {
  const degrees = degreesOf(edges);
  const locked = lockedNodes(nodes);
  return nodes
    .map((node) => {
      const { box, depth } = placed.get(node.id) as Placed;
      return {
        node,
        box,
        depth,
        isLocked: locked.has(node.id),
        connections: degrees.get(node.id) ?? 0,
        folded: folds.get(node.id) ?? null,
      };
    })
    .sort((a, b) => a.depth - b.depth);
}

/** Whether it is drawn as a frame, not as a card. */
export const isFrame = ({ node, folded }: DrawnNode): boolean => node.type === 'group' && folded === null;

export const boxesOf = (nodes: readonly DrawnNode[]): Map<string, Box> =>
  new Map(nodes.map(({ node, box }) => [node.id, box]));

/** What lines avoid: cards, and the titles of groups. */
export function obstaclesOf(nodes: readonly DrawnNode[]): { nodes: Map<string, Box>; titles: Box[] } {
  const solid = new Map<string, Box>();
  const titles: Box[] = [];
  for (const drawn of nodes) {
    if (isFrame(drawn)) titles.push(titleOf(drawn.box, drawn.node.label));
    else solid.set(drawn.node.id, drawn.box);
  }
  return { nodes: solid, titles };
}

/** What labels avoid. */
export function occupiedBy(nodes: readonly DrawnNode[]): Box[] {
  const around = obstaclesOf(nodes);
  return [...[...around.nodes.values()].map((box) => inflated(box, 2)), ...around.titles];
}

/** A label where it was put, else at the middle of its line, whatever else is there. */
function quickLabel({ text, points, at }: LabelRequest, measure: MeasureText = estimatedWidth): PlacedLabel {
  const shape = labelShapes(text, measure)[0] as PlacedLabel['shape'];
  return { ...pointAt(points, lengthOf(points) * (at ?? 0.5)), shape };
}

/** From the corner of a group to the first letter of its title; the collapse button is between. */
const BEFORE_TITLE = 33;

/** The strip of a group's title. */
export function titleOf(box: Box, label: string): Box {
  return {
    x: box.x,
    y: box.y,
    width: Math.min(box.width, BEFORE_TITLE + label.length * 7.4 + 9),
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

/** Ids of the nodes that are locked, themselves or by an ancestor. */
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
