/**
 * A part of a diagram as the graph of the layout library (ELK), and its options.
 *
 * Groups keep the padding and the title of `model/drawing/boxes.ts`, so that the layout is what is drawn. Nodes without
 * any edge are laid out beforehand, as one block (`blocks.ts`): the library would put them in a row. Labels are left out;
 * room for them is made afterwards (`spread.ts`). Pure; builds ELK's input without importing ELK. Not here:
 * what may move (`scope.ts`), which variants are tried (`variants.ts`), applying the result (`result.ts`).
 */
import type { Diagram, DiagramEdge, DiagramNode, Size } from '../../../protocol/types';
import { DEFAULT_SIZE, GROUP_PADDING, GROUP_TITLE } from '../../drawing/boxes';
import { insideOf, type LayoutPart } from '../scope';
import { blockId, blockOf, isBlock } from './blocks';
import { leadingBack } from './flow';
import { foldedBack } from './fold';
import type { LayoutGraph, Options } from './libraryGraph';
import type { Variant } from './variants';

/** What every run has; the rest is the library's default. */
const COMMON: Options = {
  'elk.algorithm': 'layered',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.json.edgeCoords': 'ROOT',
  'elk.padding': '[top=0,left=0,bottom=0,right=0]',
};

/** Spacing is not inherited by groups, so each of them sets it. */
const SPACES: Options = {
  'elk.spacing.nodeNode': '40',
  'elk.spacing.edgeNode': '20',
  'elk.spacing.edgeEdge': '16',
  'elk.spacing.componentComponent': '48',
  'elk.layered.spacing.nodeNodeBetweenLayers': '48',
  'elk.layered.spacing.edgeNodeBetweenLayers': '20',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '16',
};

/** So many nodes at most stand in one row of a group; the straight placement needs the least width of them. */
const NARROW: Options = {
  'elk.layered.layering.strategy': 'COFFMAN_GRAHAM',
  'elk.layered.layering.coffmanGraham.layerBound': '3',
  'elk.layered.nodePlacement.strategy': 'LINEAR_SEGMENTS',
};

/** Every other node of a row goes below the rest, where no line gets longer by it. */
const SPLIT: Options = {
  'elk.layered.layerUnzipping.strategy': 'ALTERNATING',
  'elk.layered.layerUnzipping.minimizeEdgeLength': 'true',
};

/** As short as it can be: layers near each other, and places that need the least length of lines. */
const FOLDED: Options = {
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.spacing.nodeNodeBetweenLayers': '32',
  'elk.layered.spacing.edgeNodeBetweenLayers': '16',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '12',
};

interface Building {
  variant: Variant;
  nodes: ReadonlyMap<string, DiagramNode>;
  childrenOf: ReadonlyMap<string | null, readonly string[]>;
  /** Leaves without an edge. */
  lonely: ReadonlySet<string>;
}

/** Builds the graph of a part; edges that leave it are left out. */
export function layoutGraph(diagram: Diagram, part: LayoutPart, variant: Variant): LayoutGraph {
  const { ids, childrenOf } = insideOf(part, diagram.nodes);
  const edges = edgesWithin(diagram, ids);
  const connected = new Set(edges.flatMap(({ source, target }) => [source, target]));
  const back = turnedIn(edges, diagram.nodes, variant);
  const building: Building = {
    variant,
    nodes: new Map(diagram.nodes.map((node) => [node.id, node])),
    childrenOf,
    lonely: new Set([...ids].filter((id) => !connected.has(id) && !childrenOf.has(id))),
  };
  return {
    id: '',
    layoutOptions: {
      ...COMMON,
      ...SPACES,
      ...rowOptions(variant),
      'elk.direction': variant.direction,
      'elk.aspectRatio': String(variant.shape),
    },
    children: childrenFor(building, part.units, ''),
    edges: edges.map(({ id, source, target }) =>
      back.has(id)
        ? { id, sources: [target], targets: [source] }
        : { id, sources: [source], targets: [target] },
    ),
  };
}

/** The edges that the library is given turned around. */
function turnedIn(
  edges: readonly DiagramEdge[],
  nodes: readonly DiagramNode[],
  { direction, turns, fold }: Variant,
): ReadonlySet<string> {
  if (fold) return foldedBack(edges, nodes, direction, fold);
  return turns ? leadingBack(edges, nodes) : new Set();
}

const rowOptions = ({ narrow, fold }: Variant): Options => ({
  ...(fold && FOLDED),
  ...(narrow && NARROW),
  ...(narrow === 'split' && SPLIT),
});

function childrenFor(building: Building, ids: readonly string[], parent: string): LayoutGraph[] {
  const lonely = ids.filter((id) => building.lonely.has(id));
  if (lonely.length < 2) return ids.map((id) => graphOf(building, id));
  const others = ids.filter((id) => !building.lonely.has(id)).map((id) => graphOf(building, id));
  const sizes = lonely.map((id) => ({ id, ...sizeOf(building.nodes.get(id) as DiagramNode) }));
  return [...others, blockOf(blockId(parent), sizes, building.variant.shape)];
}

/** One level as a graph of its own, without its nodes. */
export const levelGraph = (direction: Variant['direction'], shape: number, wraps: boolean): LayoutGraph => ({
  id: '',
  layoutOptions: {
    ...COMMON,
    ...SPACES,
    ...(wraps && { 'elk.layered.wrapping.strategy': 'MULTI_EDGE' }),
    'elk.direction': direction,
    'elk.aspectRatio': String(shape),
  },
});

/** Nodes of one level, those without a line as one block. */
export function withBlock(
  sizes: readonly (Size & { id: string })[],
  connected: ReadonlySet<string>,
  shape: number,
): LayoutGraph[] {
  const lonely = sizes.filter(({ id }) => !connected.has(id));
  if (lonely.length < 2) return sizes.map((one) => ({ ...one }));
  return [
    ...sizes.filter(({ id }) => connected.has(id)).map((one) => ({ ...one })),
    blockOf(blockId(''), lonely, shape),
  ];
}

function graphOf(building: Building, id: string): LayoutGraph {
  const { nodes, childrenOf } = building;
  const node = nodes.get(id) as DiagramNode;
  const children = childrenOf.get(id) ?? [];
  if (children.length === 0) return { id, ...sizeOf(node) };
  return {
    id,
    layoutOptions: { ...groupOptions(node), ...rowOptions(building.variant) },
    children: childrenFor(building, children, id),
  };
}

export const sizeOf = (node: DiagramNode): Size => node.size ?? DEFAULT_SIZE;

/** Edges with both ends among these, without those from a group to a descendant: these the library cannot lay out. */
export function edgesWithin({ nodes, edges }: Diagram, ids: ReadonlySet<string>): DiagramEdge[] {
  const parents = new Map(nodes.map(({ id, parent }) => [id, parent]));
  const isInside = (id: string, group: string): boolean => {
    const seen = new Set<string>();
    let link = parents.get(id) ?? null;
    while (link !== null && !seen.has(link)) {
      if (link === group) return true;
      seen.add(link);
      link = parents.get(link) ?? null;
    }
    return false;
  };
  return edges.filter(
    ({ source, target }) =>
      source !== target &&
      ids.has(source) &&
      ids.has(target) &&
      !isInside(source, target) &&
      !isInside(target, source),
  );
}

/** The smallest size of a group: its title can be read. */
export const smallestGroup = ({ label }: DiagramNode): Size => ({
  width: Math.max(DEFAULT_SIZE.width, Math.min(360, Math.ceil(label.length * 7.4) + 44)),
  height: DEFAULT_SIZE.height,
});

function groupOptions(group: DiagramNode): Options {
  const { width, height } = smallestGroup(group);
  return {
    ...SPACES,
    'elk.padding': `[top=${GROUP_TITLE},left=${GROUP_PADDING},bottom=${GROUP_PADDING},right=${GROUP_PADDING}]`,
    'elk.nodeSize.constraints': 'MINIMUM_SIZE',
    'elk.nodeSize.minimum': `(${width},${height})`,
  };
}

/** The result with the nodes of each block where the block is. */
export function withoutBlocks(graph: LayoutGraph): LayoutGraph {
  if (!graph.children) return graph;
  const children = graph.children.flatMap((child) => {
    if (!isBlock(child)) return [withoutBlocks(child)];
    const { x = 0, y = 0, children: inside = [] } = child;
    return inside.map((one) => ({ ...one, x: x + (one.x ?? 0), y: y + (one.y ?? 0) }));
  });
  return { ...graph, children };
}
