/**
 * Routes for lines that have none yet in a drawing that stays as it is: what a batch has added, or has moved aside.
 * Pure. Not here: the search for one line (`routeSearch.ts`), and new routes after a layout (`arrange.ts`).
 */
import type { Diagram } from '../../../protocol/types';
import { inflated } from '../../drawing/boxes';
import { crossesBox } from '../../drawing/polyline';
import { type MoveNodes, operationBetween, routableEdges } from '../moves';
import { improvedLines } from './improve';
import { newEffort, repaired } from './repair';
import { type Lines, linesOf, rerouted, withRoutes } from './reroute';

/** With more nodes times lines, lines are searched once, and the whole is not judged. */
const MOST_PAIRS = 150_000;

/**
 * @param ids the edges to route
 *
 * @param around the nodes that are new where they stand: lines that run through them get another route, too
 */
export function routedAnew(
  diagram: Diagram,
  ids: ReadonlySet<string>,
  around: ReadonlySet<string>,
): MoveNodes | null {
  const possible = routableEdges(diagram);
  const wanted = new Set(
    [...ids, ...linesThrough(linesOf(diagram), around)].filter((id) => possible.has(id)),
  );
  if (wanted.size === 0) return null;
  const bare = withRoutes(diagram, new Map([...wanted].map((id) => [id, []])));
  const effort = newEffort();
  const isLarge = diagram.nodes.length * diagram.edges.length > MOST_PAIRS;
  const after = isLarge
    ? rerouted(bare, wanted, effort)
    : improvedLines(repaired(bare, wanted, effort, true), wanted, effort);
  return operationBetween(diagram, after);
}

/** The edges whose lines run through some nodes that are not their ends. */
function linesThrough({ around, edges, segments }: Lines, nodes: ReadonlySet<string>): string[] {
  const cards = [...around.nodes]
    .filter(([id]) => nodes.has(id))
    .map(([id, box]) => ({ id, box: inflated(box, -1) }));
  return [...segments].flatMap(([id, ownSegments]) => {
    const edge = edges.get(id);
    const others = cards.filter((card) => card.id !== edge?.source && card.id !== edge?.target);
    return others.some(({ box }) => ownSegments.some((piece) => crossesBox(piece, box))) ? [id] : [];
  });
}
