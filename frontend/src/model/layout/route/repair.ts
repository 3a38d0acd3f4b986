/** Reroutes lines that a layout left out, or left with a flaw, as long as that makes the drawing better. Pure. */
import type { Diagram } from '../../../protocol/types';
import { type Drawing, drawingOf } from '../../drawing/drawing';
import { scoreOfDrawing } from '../score/judge';
import { countHits } from '../score/judgeBoxes';
import { countAlongFrames } from '../score/judgeFrames';
import { countLines } from '../score/judgeLines';
import { compareScores } from '../score/scores';
import { rerouted, withoutLabels } from './reroute';
import type { Effort } from './routeSearch';

const ROUNDS = 3;
/** Steps of the search for lines, over all rounds and improvements of one variant: some tenths of a second. */
const EFFORT = 250_000;

export const newEffort = (): Effort => ({ left: EFFORT });

/**
 * @param routable the edges that may have another route
 *
 * @param withUnrouted whether lines without a route get one, or stay as they are drawn
 */
export function repaired(
  diagram: Diagram,
  routable: ReadonlySet<string>,
  effort: Effort,
  withUnrouted: boolean,
): Diagram {
  const unrouted = diagram.edges.filter(
    ({ id, route }) => withUnrouted && !route?.length && routable.has(id),
  );
  let best = rerouted(diagram, new Set(unrouted.map(({ id }) => id)), effort);
  const plain = (one: Diagram): Drawing => drawingOf(withoutLabels(one));
  let drawing = plain(best);
  for (let round = 0; round < ROUNDS && effort.left > 0; round += 1) {
    const flawed = flawedEdges(drawing, routable);
    if (flawed.size === 0) break;
    const next = rerouted(best, flawed, effort);
    const nextDrawing = plain(next);
    if (compareScores(scoreOfDrawing(nextDrawing, null), scoreOfDrawing(drawing, null), null) >= 0) break;
    [best, drawing] = [next, nextDrawing];
  }
  return best;
}

function flawedEdges(drawing: Drawing, routable: ReadonlySet<string>): Set<string> {
  const { onOthers } = countLines(drawing.edges);
  const { throughNodes } = countHits(drawing);
  const { onFrames } = countAlongFrames(drawing);
  return new Set([...onOthers, ...onFrames, ...throughNodes].filter((id) => routable.has(id)));
}
