/** Completion in a diagram as text: names behind an arrow, types and technologies in brackets; anything by `Ctrl+Space`. */
import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { keymap } from '@codemirror/view';
import { offersAt } from '../../model/diagramText/offers';
import type { Diagram } from '../../protocol/types';

export const offers = (diagram: () => Diagram): Extension => [
  autocompletion({
    override: [(context) => offered(context, diagram())],
    icons: false,
    activateOnTyping: true,
    interactionDelay: 0,
  }),
  keymap.of(completionKeymap),
];

function offered({ state, pos, explicit }: CompletionContext, diagram: Diagram): CompletionResult | null {
  if (state.readOnly) return null;
  const line = state.doc.lineAt(pos);
  const found = offersAt(state.sliceDoc(line.from, pos), diagram, explicit);
  if (!found) return null;
  const typed = state.sliceDoc(line.from + found.from, pos);
  // What is written out already takes no Enter.
  if (!explicit && found.offers.some(({ label }) => label === typed.trim())) return null;
  const next = state.sliceDoc(pos, pos + 1);
  return {
    from: line.from + found.from,
    options: found.offers.map(({ label, detail, insert }) => ({
      label,
      detail,
      apply: next !== '' && insert.endsWith(next) ? insert.slice(0, -1) : insert,
    })),
  };
}
