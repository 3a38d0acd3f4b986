/**
 * Absolute boxes of nodes from relative positions, with groups grown to their children. Pure. Not here: routes of edges
 * (`routing.ts`) or anything of React Flow.
 */
import type { DiagramNode, Point, Size } from '../../protocol/types';

/** CSS pixels, relative to the diagram. */
export interface Box extends Point, Size {}

export const DEFAULT_SIZE: Size = { width: 180, height: 72 };
export const GROUP_PADDING = 24;
export const GROUP_TITLE = 40;

/** A node's box and its depth: 0 outside every group. */
export interface Placed {
  box: Box;
  depth: number;
}

/**
 * Places every node, in the order given.
 *
 * A child's position is relative to its parent's stored top left, not to where a grown parent is drawn. A group covers
 * its stored (or default) size and every child with padding. A missing parent counts as none, and so does a parent that
 * would close a cycle, so that a damaged diagram is still drawn.
 */
export function placeNodes(nodes: readonly DiagramNode[]): Map<string, Placed> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const origins = new Map<string, Point & { depth: number }>();
  const childrenOf = new Map<string, string[]>();
  for (const node of nodes) {
    for (const link of chainToKnown(node, byId, origins).reverse()) {
      const parent = link.parent === null ? undefined : origins.get(link.parent);
      if (parent && link.parent !== null) {
        origins.set(link.id, {
          x: parent.x + link.position.x,
          y: parent.y + link.position.y,
          depth: parent.depth + 1,
        });
        const siblings = childrenOf.get(link.parent);
        if (siblings) siblings.push(link.id);
        else childrenOf.set(link.parent, [link.id]);
      } else {
        origins.set(link.id, { ...link.position, depth: 0 });
      }
    }
  }
  const placed = new Map<string, Placed>();
  const deepestFirst = [...nodes].sort((a, b) => depthOf(origins, b.id) - depthOf(origins, a.id));
  for (const node of deepestFirst) {
    const { x, y, depth } = origins.get(node.id) ?? { ...node.position, depth: 0 };
    const own: Box = { x, y, ...(node.size ?? DEFAULT_SIZE) };
    const children = (childrenOf.get(node.id) ?? []).flatMap((id) => placed.get(id)?.box ?? []);
    placed.set(node.id, { box: node.type === 'group' ? grownAround(own, children) : own, depth });
  }
  return new Map(nodes.flatMap((node) => [[node.id, placed.get(node.id) as Placed]]));
}

/** The node and those ancestors of it that have no origin yet, innermost first; stops at a cycle. */
function chainToKnown(
  node: DiagramNode,
  byId: ReadonlyMap<string, DiagramNode>,
  origins: ReadonlyMap<string, unknown>,
): DiagramNode[] {
  const chain: DiagramNode[] = [];
  const seen = new Set<string>();
  let link: DiagramNode | undefined = node;
  while (link && !origins.has(link.id) && !seen.has(link.id)) {
    seen.add(link.id);
    chain.push(link);
    link = link.parent === null ? undefined : byId.get(link.parent);
  }
  return chain;
}

const depthOf = (origins: ReadonlyMap<string, { depth: number }>, id: string): number =>
  origins.get(id)?.depth ?? 0;

/** Grows a group's box so that it holds its children with padding, and its title above them. */
export function grownAround(own: Box, children: readonly Box[]): Box {
  let [left, top, right, bottom] = [own.x, own.y, own.x + own.width, own.y + own.height];
  for (const child of children) {
    left = Math.min(left, child.x - GROUP_PADDING);
    top = Math.min(top, child.y - GROUP_TITLE);
    right = Math.max(right, child.x + child.width + GROUP_PADDING);
    bottom = Math.max(bottom, child.y + child.height + GROUP_PADDING);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

export const centreOf = (box: Box): Point => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 });

export const boxesOverlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

export const inflated = (box: Box, by: number): Box => ({
  x: box.x - by,
  y: box.y - by,
  width: box.width + 2 * by,
  height: box.height + 2 * by,
});

export const holds = (box: Box, { x, y }: Point): boolean =>
  x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;

export const isSameBox = (a: Box, b: Box): boolean =>
  a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;

/** The smallest box around some; null for none. */
export function boxAround(boxes: Iterable<Box>): Box | null {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const box of boxes) {
    left = Math.min(left, box.x);
    top = Math.min(top, box.y);
    right = Math.max(right, box.x + box.width);
    bottom = Math.max(bottom, box.y + box.height);
  }
  return left > right ? null : { x: left, y: top, width: right - left, height: bottom - top };
}

/** The box between two opposite corners. */
export const boxBetween = (a: Point, b: Point): Box => ({
  x: Math.min(a.x, b.x),
  y: Math.min(a.y, b.y),
  width: Math.abs(a.x - b.x),
  height: Math.abs(a.y - b.y),
});
