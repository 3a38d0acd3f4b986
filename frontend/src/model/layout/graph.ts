/**
 * A part of a diagram as the graph of the layout library (ELK), and its options.
 *
 * Groups keep the padding and the title of `model/drawing/boxes.ts`, and labels get the space of
 * `model/drawing/labels.ts`, so that the layout is what is drawn. Pure; builds ELK's input without importing ELK. Not
 * here: what may move (`scope.ts`), applying the result (`result.ts`).
 */
import type { Diagram, DiagramEdge, DiagramNode, Point, Size } from '../../protocol/types';
import { type Box, DEFAULT_SIZE, GROUP_PADDING, GROUP_TITLE } from '../drawing/boxes';
import { labelShapes, type MeasureText } from '../drawing/labels';
import { insideOf, type LayoutPart } from './scope';

export type LayoutDirection = 'RIGHT' | 'DOWN';
export const LAYOUT_DIRECTIONS: readonly LayoutDirection[] = ['DOWN', 'RIGHT'];

/** For which lines labels get space: along vertical ones a label often fits without. */
export type LabelRoom = 'everywhere' | 'sideways';

type Options = Record<string, string>;

/** The input of the library and, with positions, its output. */
export interface LayoutGraph extends Partial<Box> {
  id: string;
  layoutOptions?: Options;
  children?: LayoutGraph[];
  edges?: LayoutEdge[];
}

export interface LayoutEdge {
  id: string;
  sources: string[];
  targets: string[];
  layoutOptions?: Options;
  labels?: (Partial<Box> & { text: string; layoutOptions?: Options })[];
  sections?: { startPoint: Point; endPoint: Point; bendPoints?: Point[] }[];
}

/** Beyond this many nodes the thorough options take tens of seconds. */
const MAX_PAIRS = 250;

const COMMON: Options = {
  'elk.algorithm': 'layered',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.json.edgeCoords': 'ROOT',
  'elk.padding': '[top=0,left=0,bottom=0,right=0]',
};

/** Spacing is not inherited by groups, so each of them sets it. */
const SPACES: Options = {
  'elk.spacing.nodeNode': '40',
  'elk.spacing.edgeNode': '20',
  'elk.spacing.edgeEdge': '16',
  'elk.spacing.edgeLabel': '6',
  'elk.spacing.labelNode': '12',
  'elk.spacing.labelLabel': '8',
  'elk.spacing.componentComponent': '48',
  'elk.layered.spacing.nodeNodeBetweenLayers': '48',
  'elk.layered.spacing.edgeNodeBetweenLayers': '20',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '16',
};

/** Edges that leave a group are laid out with those inside it. */
const ALL_LEVELS: Options = { 'elk.hierarchyHandling': 'INCLUDE_CHILDREN' };

const FULL_ROUTING: Options = {
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.layered.thoroughness': '12',
};

const QUICK: Options = {
  'elk.layered.nodePlacement.strategy': 'BRANDES_KOEPF',
  'elk.layered.thoroughness': '3',
};

/** Builds the graph of a part; edges that leave it are left out. */
export function layoutGraph(
  diagram: Diagram,
  part: LayoutPart,
  direction: LayoutDirection,
  labels: LabelRoom,
  measure?: MeasureText,
): LayoutGraph {
  const { ids, childrenOf } = insideOf(part, diagram.nodes);
  const nodes = new Map(diagram.nodes.map((node) => [node.id, node]));
  const build = (id: string): LayoutGraph => {
    const node = nodes.get(id) as DiagramNode;
    const children = childrenOf.get(id) ?? [];
    return children.length > 0
      ? { id, layoutOptions: groupOptions(node), children: children.map(build) }
      : { id, ...(node.size ?? DEFAULT_SIZE) };
  };
  return {
    id: '',
    layoutOptions: { ...levelOptions(ids.size), ...ALL_LEVELS, 'elk.direction': direction },
    children: part.units.map(build),
    edges: edgesWithin(diagram, ids).map((edge) => layoutEdge(edge, direction, labels, measure)),
  };
}

/** The options of one level, among that many nodes in all. */
export const levelOptions = (count: number): Options => ({
  ...COMMON,
  ...SPACES,
  ...(count > MAX_PAIRS ? QUICK : FULL_ROUTING),
});

/** Edges with both ends among these, without those from a group to a descendant. */
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
      ids.has(source) && ids.has(target) && !isInside(source, target) && !isInside(target, source),
  );
}

/** The smallest size of a group: its title can be read. */
export const smallestGroup = ({ label }: DiagramNode): Size => ({
  width: Math.max(DEFAULT_SIZE.width, Math.min(360, Math.ceil(label.length * 7.4) + 28)),
  height: DEFAULT_SIZE.height,
});

export function groupOptions(group: DiagramNode): Options {
  const { width, height } = smallestGroup(group);
  return {
    ...SPACES,
    'elk.padding': `[top=${GROUP_TITLE},left=${GROUP_PADDING},bottom=${GROUP_PADDING},right=${GROUP_PADDING}]`,
    'elk.nodeSize.constraints': 'MINIMUM_SIZE',
    'elk.nodeSize.minimum': `(${width},${height})`,
  };
}

export function layoutEdge(
  edge: DiagramEdge,
  direction: LayoutDirection,
  labels: LabelRoom,
  measure?: MeasureText,
): LayoutEdge {
  const isRoomy = labels === 'everywhere' || direction === 'RIGHT';
  const shape = edge.label && isRoomy ? roomFor(edge.label, direction, measure) : null;
  return {
    id: edge.id,
    sources: [edge.source],
    targets: [edge.target],
    ...(shape && {
      labels: [{ text: edge.label, ...shape, layoutOptions: { 'elk.edgeLabels.inline': 'true' } }],
    }),
  };
}

/** Along a horizontal line a label of two lines is shorter; across a vertical one both are fine. */
function roomFor(text: string, direction: LayoutDirection, measure?: MeasureText): Size {
  const shapes = labelShapes(text, measure);
  const { width, height } = (direction === 'RIGHT' ? shapes.at(-1) : shapes[0]) as Size;
  return { width: width + 6, height: height + 6 };
}
