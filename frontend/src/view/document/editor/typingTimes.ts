/** When each undoable group of typing was typed, and how often something was. Not here: the groups, which CodeMirror keeps. */
import { undoDepth } from '@codemirror/commands';
import { type Extension, Transaction } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

export class TypingTimes {
  /** How often something was typed; undo and redo do not count. */
  count = 0;
  private readonly times: number[] = [];

  newest(): number | null {
    return this.times.at(-1) ?? null;
  }

  /** The extension that watches an editor. */
  extension(): Extension {
    return EditorView.updateListener.of(({ transactions, state, docChanged }) => {
      if (!docChanged) return;
      const before = this.times.length;
      const depth = undoDepth(state);
      this.times.length = Math.min(before, depth);
      const own = transactions.filter(
        (transaction) => transaction.docChanged && !transaction.annotation(Transaction.remote),
      );
      this.count += own.filter((one) => !one.isUserEvent('undo') && !one.isUserEvent('redo')).length;
      while (this.times.length < depth) this.times.push(Date.now());
      if (own.length > 0 && depth === before && depth > 0) this.times[depth - 1] = Date.now();
    });
  }
}
