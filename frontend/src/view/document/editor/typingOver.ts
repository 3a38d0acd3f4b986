/**
 * What is typed over a selection replaces it here, and not in the elements of the page. Chromium would keep the look of what
 * was selected in a `style` attribute, which the security policy refuses and reports. Not here: input methods, whose
 * compositions need the elements.
 */
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

export const typingOver = (): Extension =>
  EditorView.domEventHandlers({
    beforeinput({ inputType, data, isComposing }, view) {
      const { state } = view;
      const isOver = state.selection.ranges.some(({ empty }) => !empty);
      const isTyped = inputType === 'insertText' && data && !isComposing && !view.compositionStarted;
      if (!isTyped || !isOver || state.readOnly) return false;
      view.dispatch(state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
      return true;
    },
  });
