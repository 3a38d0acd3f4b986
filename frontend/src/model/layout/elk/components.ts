/**
 * Packs the connected components of a laid out graph anew, in rows of about the shape of the room.
 *
 * The library packs components only in graphs without groups; with groups it puts them in one column or row. A component
 * is moved as it is, with its lines, so nothing is crossed that was not before. A group that no line enters is a
 * component, within which the same is done first. Pure. Not here: nodes without any line (`blocks.ts`).
 */
import type { Point, Size } from '../../../protocol/types';
import { type Box, boxAround, GROUP_PADDING, GROUP_TITLE } from '../../drawing/boxes';
import { isBlock } from './blocks';
import { type LayoutEdge, type LayoutGraph, shifted } from './libraryGraph';
import { extentOf, packed } from './packing';

export interface Packing {
  /** Width by height of the room. */
  shape: number;
  /** The smallest size of a group. */
  leastOf: (group: string) => Size;
}

/** Rows that save less of the extent than this leave the library's places as they are. */
const WORTH = 0.95;

/** The same graph where its components are packed well already; edges are in the coordinates of the whole. */
export function repacked(graph: LayoutGraph, packing: Packing): LayoutGraph {
  const level = packLevel(
    { children: graph.children ?? [], edges: graph.edges ?? [] },
    { x: 0, y: 0 },
    packing,
  );
  return level ? { ...graph, ...level } : graph;
}

interface Level {
  /** At places relative to the level. */
  children: readonly LayoutGraph[];
  /** All that have both ends in it, in the coordinates of the whole. */
  edges: readonly LayoutEdge[];
}

interface PackedLevel extends Size {
  children: LayoutGraph[];
  edges: LayoutEdge[];
}

/** Null where nothing changes. */
function packLevel(level: Level, origin: Point, packing: Packing): PackedLevel | null {
  const components = componentsOf(level);
  const inner = components.map((component) => packGroup(component, origin, packing));
  const now = components.map((component, at) => inner[at] ?? component);
  const boxes = now.map((component) => boundsOf(component, origin));
  const { corners, ...size } = packed(boxes, packing.shape);
  const isWorth =
    components.length > 1 &&
    extentOf(size, packing.shape) < WORTH * extentOf(boundsOf(level, origin), packing.shape);
  if (!isWorth && inner.every((one) => one === null)) return null;
  const moved = now.map((component, at) => {
    const [box, to] = [boxes[at] as Box, corners[at] as Point];
    return movedBy(component, { x: to.x - box.x, y: to.y - box.y });
  });
  return {
    ...size,
    children: moved.flatMap(({ children }) => [...children]),
    edges: moved.flatMap(({ edges }) => [...edges]),
  };
}

/** A component that is one group, with what is in it packed; null where nothing changes. */
function packGroup({ children, edges }: Level, origin: Point, packing: Packing): Level | null {
  const [group] = children;
  if (!group?.children?.length || children.length > 1 || isBlock(group)) return null;
  const { x = 0, y = 0 } = group;
  const inside = { x: origin.x + x, y: origin.y + y };
  const inner = packLevel({ children: group.children, edges }, inside, packing);
  if (!inner) return null;
  const placed = movedBy(inner, { x: GROUP_PADDING, y: GROUP_TITLE });
  const least = packing.leastOf(group.id);
  const frame = {
    ...group,
    width: Math.max(least.width, inner.width + 2 * GROUP_PADDING),
    height: Math.max(least.height, inner.height + GROUP_TITLE + GROUP_PADDING),
    children: [...placed.children],
  };
  return { children: [frame], edges: placed.edges };
}

/** Nodes that lines connect, directly or through what is in them, in the order of their first ones. */
function componentsOf({ children, edges }: Level): Level[] {
  const leaderOf = new Map(children.map(({ id }) => [id, id]));
  const find = (id: string): string => {
    const leader = leaderOf.get(id) as string;
    return leader === id ? id : find(leader);
  };
  const unitOf = new Map(children.flatMap((child) => idsIn(child).map((id) => [id, child.id] as const)));
  const unitAt = ({ sources, targets }: LayoutEdge): string[] =>
    [...sources, ...targets].flatMap((id) => unitOf.get(id) ?? []);
  for (const edge of edges) {
    const [one, other] = unitAt(edge).map(find);
    if (one !== undefined && other !== undefined) leaderOf.set(other, one);
  }
  const found = new Map<string, { children: LayoutGraph[]; edges: LayoutEdge[] }>();
  for (const child of children) {
    const leader = find(child.id);
    const component = found.get(leader) ?? { children: [], edges: [] };
    component.children.push(child);
    found.set(leader, component);
  }
  for (const edge of edges) {
    const [unit] = unitAt(edge);
    if (unit !== undefined) found.get(find(unit))?.edges.push(edge);
  }
  return [...found.values()];
}

const idsIn = ({ id, children = [] }: LayoutGraph): string[] => [id, ...children.flatMap(idsIn)];

/** Of nodes and lines, relative to the level. */
function boundsOf({ children, edges }: Level, origin: Point): Box {
  const nodes = children.map(({ x = 0, y = 0, width = 0, height = 0 }) => ({ x, y, width, height }));
  const points = edges
    .flatMap(({ sections = [] }) => sections)
    .flatMap(({ startPoint, endPoint, bendPoints = [] }) => [startPoint, endPoint, ...bendPoints])
    .map(({ x, y }) => ({ x: x - origin.x, y: y - origin.y, width: 0, height: 0 }));
  return boxAround([...nodes, ...points]) ?? { x: 0, y: 0, width: 0, height: 0 };
}

const movedBy = ({ children, edges }: Level, by: Point): Level => ({
  children: children.map((child) => ({ ...child, x: (child.x ?? 0) + by.x, y: (child.y ?? 0) + by.y })),
  edges: edges.map((edge) => shifted(edge, by)),
});
