/**
 * A part of a diagram as the graph that the layout library takes, and what the settings say.
 *
 * Groups keep the padding and the title that `model/drawing/boxes.ts` draws, and labels get the room that `model/drawing/labels.ts` gives them, so
 * that what is worked out is what is drawn. Pure; knows the library's words but not the library.
 * Not here: what may move (`scope.ts`) and what becomes of the result (`result.ts`).
 */
import type { Diagram, DiagramEdge, DiagramNode, Point, Size } from '../../protocol/types';
import { type Box, DEFAULT_SIZE, GROUP_PADDING, GROUP_TITLE } from '../drawing/boxes';
import { labelShapes, type MeasureText } from '../drawing/labels';
import { insideOf, type LayoutPart } from './scope';

export type LayoutDirection = 'RIGHT' | 'DOWN';
export const LAYOUT_DIRECTIONS: readonly LayoutDirection[] = ['DOWN', 'RIGHT'];

/** For which lines labels get room: along those that run down, one often stands well without. */
export type LabelRoom = 'everywhere' | 'sideways';

type Options = Record<string, string>;

/** What the library reads and, with places filled in, answers. */
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

/** Beyond this many nodes the careful way takes tens of seconds. */
const MAX_PAIRS = 250;

const COMMON: Options = {
  'elk.algorithm': 'layered',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.json.edgeCoords': 'ROOT',
  'elk.padding': '[top=0,left=0,bottom=0,right=0]',
};

/** Spaces do not come down from the whole to the groups in it, so each of them says them. */
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

/** Lines that leave a group are laid out with those inside it. */
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

/** Build the graph of a part; edges that leave it are not in it. */
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

/** What holds for one level, among that many nodes in all. */
export const levelOptions = (count: number): Options => ({
  ...COMMON,
  ...SPACES,
  ...(count > MAX_PAIRS ? QUICK : FULL_ROUTING),
});

/** Edges with both ends among these, without those from a group to what stands in it. */
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

/** The least a group takes: its title can be read. */
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

/** Along a line that runs sideways a label of two lines is shorter; across one that runs down, either is fine. */
function roomFor(text: string, direction: LayoutDirection, measure?: MeasureText): Size {
  const shapes = labelShapes(text, measure);
  const { width, height } = (direction === 'RIGHT' ? shapes.at(-1) : shapes[0]) as Size;
  return { width: width + 6, height: height + 6 };
}
