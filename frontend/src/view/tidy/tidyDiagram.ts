/** The best layout of every part of a scope, in the font of this page. */
import { bestLayout } from '../../model/layout/choice';
import type { LaidOutPart } from '../../model/layout/result';
import type { LayoutPart } from '../../model/layout/scope';
import type { Diagram, Size } from '../../protocol/types';
import { textWidth } from '../drawing/textWidth';
import type { LayoutWorker } from './layoutWorker';

export async function laidOut(
  diagram: Diagram,
  parts: readonly LayoutPart[],
  room: Size,
  worker: LayoutWorker,
): Promise<LaidOutPart[]> {
  const found: LaidOutPart[] = [];
  for (const part of parts) {
    const graph = await bestLayout(diagram, part, {
      room,
      run: (one) => worker.layout(one),
      measure: textWidth,
    });
    found.push({ part, graph });
  }
  return found;
}
