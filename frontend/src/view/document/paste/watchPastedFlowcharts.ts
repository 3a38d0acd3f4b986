/** Tells of Mermaid flowcharts that are pasted into a text editor, and when one is in the text no longer. */
import { StateEffect, StateField } from '@codemirror/state';
import { EditorView, type ViewUpdate } from '@codemirror/view';
import { flowchartOf } from '../../../model/text/mermaidSource';

/** The newest flowchart that was pasted. */
interface Pasted {
  from: number;
  to: number;
  source: string;
}

type Watcher = (update: ViewUpdate) => void;

const watchers = new WeakMap<EditorView, Watcher>();

/** Is added to a state once: states outlive their editors. */
const watched = StateField.define<null>({
  create: () => null,
  update: () => null,
  provide: () => EditorView.updateListener.of((update) => watchers.get(update.view)?.(update)),
});

/**
 * Watches an editor until what is returned is called.
 *
 * @param onPaste is called with the source; what it returns is called when another one is pasted, when this one is deleted or
 * its paste undone, and at the end
 */
export function watchPastedFlowcharts(view: EditorView, onPaste: (source: string) => () => void): () => void {
  if (view.state.field(watched, false) === undefined)
    view.dispatch({ effects: StateEffect.appendConfig.of(watched) });
  let offered: (Omit<Pasted, 'source'> & { withdraw: () => void }) | null = null;
  const withdraw = () => {
    offered?.withdraw();
    offered = null;
  };
  watchers.set(view, (update) => {
    if (!update.docChanged) return;
    if (offered) {
      offered.from = update.changes.mapPos(offered.from, 1);
      offered.to = update.changes.mapPos(offered.to, -1);
      if (offered.from >= offered.to) withdraw();
    }
    const pasted = pastedIn(update);
    if (!pasted) return;
    withdraw();
    offered = { from: pasted.from, to: pasted.to, withdraw: onPaste(pasted.source) };
  });
  return () => {
    watchers.delete(view);
    withdraw();
  };
}

function pastedIn({ transactions }: ViewUpdate): Pasted | null {
  let found: Pasted | null = null;
  for (const transaction of transactions) {
    if (!transaction.isUserEvent('input.paste')) continue;
    transaction.changes.iterChanges((_fromA, _toA, from, to, inserted) => {
      const source = flowchartOf(inserted.toString());
      if (source !== null) found = { from, to, source };
    });
  }
  return found;
}
