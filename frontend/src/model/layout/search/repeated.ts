/**
 * Repeats a gentle layout on its own result until nothing gets better, so that a second one of the same picture changes
 * nothing. Pure; one layout is passed in.
 *
 * One alone does not get there: of several ways to better a drawing the best is taken, and what that way has left, as bends
 * in lines that crossed before, the next one mends. Not here: one layout (`arrange.ts`, or workers of the page).
 */
import type { Diagram } from '../../../protocol/types';
import { type MoveNodes, operationBetween, withMoves } from '../moves';

/** Two or three are enough for drawings that people made; each makes something better, so there is an end. */
const MOST_ROUNDS = 12;

interface Request {
  diagram: Diagram;
  mode: 'scratch' | 'gentle';
}

interface Answer {
  operation: MoveNodes | null;
}

export async function repeated<R extends Request, A extends Answer>(
  request: R,
  arrangeOnce: (request: R) => Promise<A>,
): Promise<A> {
  let answer = await arrangeOnce(request);
  if (request.mode !== 'gentle') return answer;
  for (let round = 1; round < MOST_ROUNDS && answer.operation; round += 1) {
    const diagram = withMoves(request.diagram, answer.operation);
    const next = await arrangeOnce({ ...request, diagram });
    if (!next.operation) break;
    const operation = operationBetween(request.diagram, withMoves(diagram, next.operation));
    answer = { ...next, operation };
  }
  return answer;
}
