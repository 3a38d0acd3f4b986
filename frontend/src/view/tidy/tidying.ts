/** One tidy from the request to the operation, in the layout engine's workers. Loaded on first use: most visits tidy nothing. */

import { drawnAnew } from '../../model/gestures/bend';
import { bentByHand, rightAngled, withoutBends } from '../../model/layout/moves';
import { selectionScope, wholeScope } from '../../model/layout/scope';
import type { ArrangeMode, ArrangeRequest } from '../../model/layout/search/arrange';
import { rebaseLayout } from '../../model/layout/search/rebaseLayout';
import type { Operation } from '../../protocol/live';
import type { Diagram, Size } from '../../protocol/types';
import { LayoutWorkers, type Progress } from './layoutWorkers';

export interface Wish {
  mode: ArrangeMode;
  of: 'whole' | 'selection';
  selected: ReadonlySet<string>;
  room: Size;
  /** Whether lines that were bent by hand are drawn anew, too. */
  redraws: boolean;
}

export interface UnderWay extends Progress {
  nodes: number;
}

/** What came of it: operations of one step, or in words why there is none. */
export type Outcome = { operations: Operation[] } | { text: string; detail?: string; isOutdated?: boolean };

const workers = new LayoutWorkers();

/** Ends what runs at once; `tidied` then throws LayoutCancelled. */
export const cancelTidy = (): void => workers.cancel();

/** @param now the diagram at the time of calling: others may change it meanwhile */
export async function tidied(
  wish: Wish,
  now: () => Diagram,
  onProgress: (progress: UnderWay) => void,
): Promise<Outcome> {
  const diagramNow = () => rightAngled(wish.redraws ? withoutBends(now()) : now());
  const diagram = diagramNow();
  const scope = wish.of === 'whole' ? wholeScope(diagram) : selectionScope(diagram, wish.selected);
  if (scope.reason !== undefined) return { text: 'Nothing was moved', detail: scope.reason };
  const request: ArrangeRequest = {
    diagram,
    mode: wish.mode,
    ids: wish.of === 'whole' ? null : [...wish.selected],
    room: wish.room,
    variants: null,
  };
  onProgress({ nodes: scope.count, tried: 0, of: 0 });
  const answer = await workers.arrange(request, (progress) =>
    onProgress({ nodes: scope.count, ...progress }),
  );
  const redrawn = wish.redraws ? drawnAnew(bentByHand(now())) : [];
  if (!answer.operation && redrawn.length > 0) return { operations: redrawn };
  if (!answer.operation) {
    const what = wish.of === 'whole' ? 'The diagram' : 'The selection';
    return { text: `${what} is already as good as I can make it` };
  }
  const operation = rebaseLayout(request, answer.operation, diagramNow());
  if (operation) return { operations: [...redrawn, operation] };
  return { text: 'Nothing was moved', detail: 'The diagram has changed meanwhile.', isOutdated: true };
}
