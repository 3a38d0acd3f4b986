/**
 * A layout level by level: each group by itself, then the groups as boxes among their siblings.
 *
 * Denser and nearer to the shape of the room than one layout of all levels, since a layer of one group does not become a
 * layer of all. In return only lines within one group get a route from the library; the others are searched afterwards
 * (`repair.ts`). Pure; the library is passed in.
 */
import type { Diagram, DiagramEdge, DiagramNode, Size } from '../../../protocol/types';
import { GROUP_PADDING, GROUP_TITLE } from '../../drawing/boxes';
import { insideOf, type LayoutPart } from '../scope';
import { longestChain } from './flow';
import {
  edgesWithin,
  levelGraph,
  sizeOf as sizeOfNode,
  smallestGroup,
  withBlock,
  withoutBlocks,
} from './graph';
import { type LayoutEdge, type LayoutGraph, shifted } from './libraryGraph';
import { type LayoutDirection, WRAPPED_FROM } from './variants';

export type RunLayout = (graph: LayoutGraph) => Promise<LayoutGraph>;

export interface LevelShapes {
  /** Width by height that the whole comes near to. */
  outer: number;
  /** The same for groups. */
  inner: number;
  /** Whether long chains go on in another row. */
  wraps: boolean;
}

interface Levels {
  nodes: ReadonlyMap<string, DiagramNode>;
  childrenOf: ReadonlyMap<string | null, readonly string[]>;
  edges: readonly DiagramEdge[];
  /** Width by height that groups come near to. */
  inner: number;
  wraps: boolean;
  run: RunLayout;
}

/** Lays a part out level by level; the whole gets a shape like `outer`, groups one like `inner`. */
export async function layoutByLevels(
  diagram: Diagram,
  part: LayoutPart,
  shapes: LevelShapes,
  run: RunLayout,
): Promise<LayoutGraph> {
  const { ids, childrenOf } = insideOf(part, diagram.nodes);
  const levels: Levels = {
    nodes: new Map(diagram.nodes.map((node) => [node.id, node])),
    childrenOf,
    edges: edgesWithin(diagram, ids),
    inner: shapes.inner,
    wraps: shapes.wraps,
    run,
  };
  return layoutLevel(levels, null, part.units, shapes.outer);
}

/** A level with all its descendants; its edges are in its own coordinates. */
async function layoutLevel(
  levels: Levels,
  group: DiagramNode | null,
  ids: readonly string[],
  shape: number,
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
  const sizes = ids.map((id) => ({ id, ...sizeOf(levels, id, below.get(id)) }));
  const lifted = liftedEdges(levels.edges, unitOf);
  // Groups are packed by the library: their sizes differ.
  const bound = new Set([...below.keys(), ...lifted.flatMap(({ edge }) => [edge.source, edge.target])]);
  const best = await bestOfLevel(
    levels.run,
    shape,
    rowsFor(levels, lifted, below.size > 0),
    (direction, wraps) => ({
      ...levelGraph(direction, shape, wraps),
      children: withBlock(sizes, bound, shape),
      edges: lifted.map(libraryEdge),
    }),
  );
  const isDirect = ({ source, target }: DiagramEdge) =>
    unitOf.get(source) === source && unitOf.get(target) === target;
  const direct = new Set(levels.edges.filter(isDirect).map(({ id }) => id));
  return assembled(best, group, below, direct);
}

/** Whether in one row, in several, or both: a long chain in one is a strip, and few groups may be large. */
function rowsFor({ wraps }: Levels, lifted: readonly LiftedEdge[], hasGroups: boolean): boolean[] {
  if (wraps && lengthOfChain(lifted) >= WRAPPED_FROM) return [true];
  return wraps && hasGroups ? [false, true] : [false];
}

/** In the direction, and in as many rows where it may be, in which it fits the smallest room. */
async function bestOfLevel(
  run: RunLayout,
  shape: number,
  rows: readonly boolean[],
  graphFor: (direction: LayoutDirection, wraps: boolean) => LayoutGraph,
): Promise<LayoutGraph> {
  const tried: LayoutGraph[] = [];
  for (const isWrapped of rows)
    for (const direction of ['RIGHT', 'DOWN'] as const) tried.push(await run(graphFor(direction, isWrapped)));
  return tried.reduce((best, one) => (extentOf(one, shape) < extentOf(best, shape) ? one : best));
}

const lengthOfChain = (lifted: readonly LiftedEdge[]): number =>
  longestChain(
    lifted.map(({ edge }) => edge),
    [],
  );

/** In a cycle of edges the direction of most of them is kept. */
const libraryEdge = ({ edge: { id, source, target }, count }: LiftedEdge): LayoutEdge => ({
  id,
  sources: [source],
  targets: [target],
  layoutOptions: { 'elk.layered.priority.direction': `${count}` },
});

/** The side of the smallest room of this shape that holds a graph. */
const extentOf = ({ width = 0, height = 0 }: LayoutGraph, shape: number): number =>
  Math.max(width / shape, height);

interface LiftedEdge {
  edge: DiagramEdge;
  /** How many edges it stands for. */
  count: number;
}

/** Edges between units of a level, one for all between the same two. */
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
    const count = (lifted.get(key)?.count ?? 0) + 1;
    lifted.set(key, { edge: { ...edge, source, target }, count });
  }
  return [...direct, ...lifted.values()];
}

/** Merges the layouts of the levels below into their places, and the frame around them. */
function assembled(
  graph: LayoutGraph,
  group: DiagramNode | null,
  below: ReadonlyMap<string, LayoutGraph>,
  direct: ReadonlySet<string>,
): LayoutGraph {
  const inset = group ? { x: GROUP_PADDING, y: GROUP_TITLE } : { x: 0, y: 0 };
  const children = (withoutBlocks(graph).children ?? []).map((child) => {
    const inside = below.get(child.id);
    const placed = { ...child, x: (child.x ?? 0) + inset.x, y: (child.y ?? 0) + inset.y };
    return inside?.children ? { ...placed, children: inside.children } : placed;
  });
  const own = (graph.edges ?? []).filter(({ id }) => direct.has(id)).map((edge) => shifted(edge, inset));
  const inner = children.flatMap(({ id, x, y }) =>
    (below.get(id)?.edges ?? []).map((edge) => shifted(edge, { x, y })),
  );
  return {
    ...graph,
    id: group?.id ?? '',
    width: Math.max((graph.width ?? 0) + 2 * inset.x, group ? smallestGroup(group).width : 0),
    height: (graph.height ?? 0) + (group ? GROUP_TITLE + GROUP_PADDING : 0),
    children,
    edges: [...own, ...inner],
  };
}

const idsOf = (graph: LayoutGraph): string[] =>
  (graph.children ?? []).flatMap((child) => [child.id, ...idsOf(child)]);

const sizeOf = ({ nodes }: Levels, id: string, laidOut: LayoutGraph | undefined): Size => {
  if (laidOut) return { width: laidOut.width ?? 0, height: laidOut.height ?? 0 };
  return sizeOfNode(nodes.get(id) as DiagramNode);
};
