/**
 * Applies formatting to the text as one step. A file of its own, since commands of the first load and of later parts do so.
 */
import { EditorSelection } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { Formatted } from '../../../model/text/formatting';

export function take(view: EditorView, { changes, selected }: Formatted): void {
  view.dispatch({
    changes,
    selection: EditorSelection.single(selected.from, selected.to),
    scrollIntoView: true,
    userEvent: 'input.format',
  });
}
