/**
 * The second layout strategy: each group by itself, then the groups as boxes among their siblings.
 *
 * Denser than one layout of all levels where many edges run between groups, since a layer of one group does not become
 * a layer of all. In return only edges within one group get a route; the others are routed when drawn. Pure; the layout
 * library is passed in as a function.
 */
import type { Diagram, DiagramEdge, DiagramNode, Point, Size } from '../../protocol/types';
import { DEFAULT_SIZE } from '../drawing/boxes';
import type { MeasureText } from '../drawing/labels';
import {
  edgesWithin,
  groupOptions,
  LAYOUT_DIRECTIONS,
  type LabelRoom,
  type LayoutEdge,
  type LayoutGraph,
  layoutEdge,
  levelOptions,
  smallestGroup,
} from './graph';
import { scaleIn } from './result';
import { insideOf, type LayoutPart } from './scope';

export type RunLayout = (graph: LayoutGraph) => Promise<LayoutGraph>;

/** Aspect ratios of groups: as the area, wide ones above one another, or tall ones side by side. */
export const LEVEL_SHAPES: readonly number[] = [1, 2.2, 1.5, 0.75];

export interface LevelSettings {
  room: Size;
  /** How much wider than the area groups should be. */
  shape: number;
  labels: LabelRoom;
  run: RunLayout;
  measure?: MeasureText | undefined;
}

interface Levels extends LevelSettings {
  nodes: ReadonlyMap<string, DiagramNode>;
  childrenOf: ReadonlyMap<string | null, readonly string[]>;
  edges: readonly DiagramEdge[];
  /** The aspect ratio of groups; the outermost level has that of the area. */
  inner: Size;
}

/** Lays a part out level by level. */
export async function layoutByLevels(
  diagram: Diagram,
  part: LayoutPart,
  settings: LevelSettings,
): Promise<LayoutGraph> {
  const { ids, childrenOf } = insideOf(part, diagram.nodes);
  const { room, shape } = settings;
  const levels: Levels = {
    nodes: new Map(diagram.nodes.map((node) => [node.id, node])),
    childrenOf,
    edges: edgesWithin(diagram, ids),
    inner: { width: room.width * shape, height: room.height },
    ...settings,
  };
  return layoutLevel(levels, null, part.units, room);
}

/** A level with all its descendants; its edges are in its own coordinates. */
async function layoutLevel(
  levels: Levels,
  group: DiagramNode | null,
  ids: readonly string[],
  room: Size,
): Promise<LayoutGraph> {
  const below = new Map<string, LayoutGraph>();
  const unitOf = new Map<string, string>();
  for (const id of ids) {
    const children = levels.childrenOf.get(id) ?? [];
    const node = levels.nodes.get(id) as DiagramNode;
    if (children.length > 0) below.set(id, await layoutLevel(levels, node, children, levels.inner));
    for (const inside of below.has(id) ? idsOf(below.get(id) as LayoutGraph) : []) unitOf.set(inside, id);
    unitOf.set(id, id);
  }
  const level: LayoutGraph = {
    id: group?.id ?? '',
    layoutOptions: { ...levelOptions(levels.nodes.size), ...(group && groupOptions(group)) },
    children: ids.map((id) => ({ id, ...sizeOf(levels, id, below.get(id)) })),
  };
  const best = await bestDirection(levels, level, unitOf, room);
  const isDirect = ({ source, target }: DiagramEdge) =>
    unitOf.get(source) === source && unitOf.get(target) === target;
  const direct = new Set(levels.edges.filter(isDirect).map(({ id }) => id));
  return assembled(best, group, below, direct);
}

async function bestDirection(
  levels: Levels,
  level: LayoutGraph,
  unitOf: ReadonlyMap<string, string>,
  room: Size,
): Promise<LayoutGraph> {
  let best: LayoutGraph | null = null;
  for (const direction of LAYOUT_DIRECTIONS) {
    const edges = liftedEdges(levels.edges, unitOf).map(({ edge, count }) => ({
      ...layoutEdge(edge, direction, levels.labels, levels.measure),
      // In a cycle of edges the direction of most of them is kept.
      layoutOptions: { 'elk.layered.priority.direction': `${count}` },
    }));
    const graph = await levels.run({
      ...level,
      layoutOptions: { ...level.layoutOptions, 'elk.direction': direction },
      children: (level.children ?? []).map((child) => ({ ...child })),
      edges,
    });
    if (!best || scaleIn(graph, room) > scaleIn(best, room)) best = graph;
  }
  return best as LayoutGraph;
}

interface LiftedEdge {
  edge: DiagramEdge;
  /** How many edges it stands for. */
  count: number;
}

/** Edges between units of a level; of several between the same units, the one with the longest label. */
function liftedEdges(edges: readonly DiagramEdge[], unitOf: ReadonlyMap<string, string>): LiftedEdge[] {
  const direct: LiftedEdge[] = [];
  const lifted = new Map<string, LiftedEdge>();
  for (const edge of edges) {
    const [source, target] = [unitOf.get(edge.source), unitOf.get(edge.target)];
    if (source === undefined || target === undefined || source === target) continue;
    if (source === edge.source && target === edge.target) {
      direct.push({ edge, count: 1 });
      continue;
    }
    const key = `${source} ${target}`;
    const known = lifted.get(key);
    const longer = known && known.edge.label.length >= edge.label.length ? known.edge : edge;
    lifted.set(key, { edge: { ...longer, source, target }, count: (known?.count ?? 0) + 1 });
  }
  return [...direct, ...lifted.values()];
}

/** Merges the layouts of the levels below into their places. */
function assembled(
  graph: LayoutGraph,
  group: DiagramNode | null,
  below: ReadonlyMap<string, LayoutGraph>,
  direct: ReadonlySet<string>,
): LayoutGraph {
  const children = (graph.children ?? []).map((child) => {
    const inside = below.get(child.id);
    return inside?.children ? { ...child, children: inside.children } : child;
  });
  const inner = children.flatMap(({ id, x = 0, y = 0 }) =>
    (below.get(id)?.edges ?? []).map((edge) => shifted(edge, { x, y })),
  );
  const smallest = group ? smallestGroup(group) : { width: 0, height: 0 };
  return {
    ...graph,
    width: Math.max(graph.width ?? 0, smallest.width),
    height: Math.max(graph.height ?? 0, smallest.height),
    children,
    edges: [...(graph.edges ?? []).filter(({ id }) => direct.has(id)), ...inner],
  };
}

function shifted(edge: LayoutEdge, by: Point): LayoutEdge {
  const move = ({ x, y }: Point): Point => ({ x: x + by.x, y: y + by.y });
  const sections = edge.sections?.map(({ startPoint, endPoint, bendPoints }) => ({
    startPoint: move(startPoint),
    endPoint: move(endPoint),
    ...(bendPoints && { bendPoints: bendPoints.map(move) }),
  }));
  return { ...edge, ...(sections && { sections }) };
}

const idsOf = (graph: LayoutGraph): string[] =>
  (graph.children ?? []).flatMap((child) => [child.id, ...idsOf(child)]);

const sizeOf = ({ nodes }: Levels, id: string, laidOut: LayoutGraph | undefined): Size =>
  laidOut
    ? { width: laidOut.width ?? 0, height: laidOut.height ?? 0 }
    : (nodes.get(id)?.size ?? DEFAULT_SIZE);
