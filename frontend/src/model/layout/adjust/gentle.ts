/** Improvements of a diagram that keep the order of its nodes, from left to right and from top to bottom. Pure. */
import type { Diagram, DiagramNode } from '../../../protocol/types';
import { centreOf, placeNodes } from '../../drawing/boxes';
import { aligned } from './align';
import { movableNodes, separated } from './separate';

/** Ways of our own, from the least change to the most; the library's come after them. */
export const GENTLE_WAYS = ['flaws', 'lines', 'separate', 'align'] as const;
export type GentleWay = (typeof GENTLE_WAYS)[number];

/** The diagram with its nodes where a way puts them; lines of nodes that moved have no route. */
export function gentleDiagram(diagram: Diagram, ids: readonly string[] | null, way: GentleWay): Diagram {
  if (way === 'flaws' || way === 'lines') return diagram;
  const movable = movableNodes(diagram, ids && new Set(ids));
  const apart = separated(diagram, movable);
  return way === 'align' ? aligned(apart, movable) : apart;
}

/** Of the pairs of nodes of one group, as many have to keep their order. */
const KEPT = 0.95;

/** Whether nodes are left of and above the same ones as before, but for a few. */
export function keepsPicture(before: Diagram, after: Diagram): boolean {
  const [was, now] = [placeNodes(before.nodes), placeNodes(after.nodes)];
  let [kept, all] = [0, 0];
  const siblings = new Map<string | null, DiagramNode[]>();
  for (const node of before.nodes) siblings.set(node.parent, [...(siblings.get(node.parent) ?? []), node]);
  for (const group of siblings.values())
    group.forEach(({ id: one }, at) => {
      for (const { id: other } of group.slice(at + 1)) {
        const [a, b] = [was.get(one)?.box, was.get(other)?.box];
        const [c, d] = [now.get(one)?.box, now.get(other)?.box];
        if (!a || !b || !c || !d) continue;
        for (const axis of ['x', 'y'] as const) {
          const extent = axis === 'x' ? 'width' : 'height';
          const isBefore = a[axis] + a[extent] <= b[axis];
          const isAfter = b[axis] + b[extent] <= a[axis];
          if (!isBefore && !isAfter) continue;
          all += 1;
          if (centreOf(c)[axis] < centreOf(d)[axis] === isBefore) kept += 1;
        }
      }
    });
  return kept >= KEPT * all;
}
