/** Inserts a pattern for a selection: one batch, through the same door as every edit, undone as one step. */

import { counted } from '../../model/words/kinds';
import type { Operation } from '../../protocol/live';
import { fillPattern } from '../../protocol/patterns';
import type { EditorContext } from '../context/EditorContext';
import type { Selection } from '../context/uiState';
import type { Toasts } from '../ui/overlay/Toasts';

export async function insertPattern(
  context: EditorContext,
  toasts: Toasts,
  pattern: string,
  { nodes, edges }: Selection,
): Promise<void> {
  try {
    const filled = await fillPattern(context.id, pattern, [...nodes], [...edges]);
    if (filled.operations.length === 0)
      return void toasts.show({ text: 'Everything of this pattern is there already' });
    const outcome = await context.edit(filled.operations as unknown as Operation[], filled.explanation);
    // Whatever did not fit, or waits as a draft, has been said.
    if (outcome?.kind !== 'committed') return;
    context.ui.show(filled.made, { pulse: true });
    if (filled.unused.length > 0)
      toasts.show({
        text: `${counted(filled.unused.length, 'selected node')} without a role in this pattern`,
      });
  } catch (error) {
    toasts.showError(error);
  }
}
