/**
 * The editor of one cell: a small editor of its own with the words of the cell as they are written. What is typed goes to
 * the document at once, and what others write in the cell comes from there. Not here: which cell it is, and the way to
 * others (`editing.ts`).
 */
import { standardKeymap } from '@codemirror/commands';
import {
  Annotation,
  type ChangeDesc,
  type ChangeSpec,
  EditorSelection,
  EditorState,
  type Extension,
  Transaction,
  type TransactionSpec,
} from '@codemirror/state';
import { EditorView, type KeyBinding, keymap } from '@codemirror/view';
import { asCell } from '../../../../../model/text/syntax/tables';
import { cellTools, linkTargets, type Stretch, setLinkTargets } from '../../partState';
import { typingOver } from '../../typingOver';
import { editedCell, editsCell, fromCell } from './state';

/** Annotates transactions that come from the document. */
const fromDocument = Annotation.define<boolean>();

/** Longer than CodeMirror itself waits before it reads the end of a composition. */
const COMPOSITION_ENDS_MS = 100;

/** What has to be written around the first words of a cell that its row does not have yet. */
export interface Missing {
  ahead: string;
  behind: string;
}

interface CellOptions {
  outer: EditorView;
  parent: Element;
  label: string;
  missing: Missing | null;
  keys: readonly KeyBinding[];
}

type Side = 'left' | 'right';

export type CaretPlace = 'start' | 'end' | Side | { x: number; y: number };

/** The position at one side of a cell: words in Hebrew, Arabic and their like begin at the right. */
export function positionAt(side: Side, { state, contentDOM }: EditorView): number {
  const beginsAt = getComputedStyle(contentDOM).direction === 'rtl' ? 'right' : 'left';
  return side === beginsAt ? 0 : state.doc.length;
}

export class CellEditor {
  readonly view: EditorView;
  private missing: Missing | null;

  constructor(private readonly options: CellOptions) {
    const { outer, parent } = options;
    this.missing = options.missing;
    const { from, to } = this.range ?? { from: 0, to: 0 };
    this.view = new EditorView({
      parent,
      state: EditorState.create({ doc: outer.state.sliceDoc(from, to), extensions: this.extensions() }),
      dispatchTransactions: (transactions, view) => {
        view.update(transactions);
        for (const transaction of transactions) this.pass(transaction);
      },
    });
    this.view.dispatch({ effects: setLinkTargets.of(outer.state.field(linkTargets)) });
  }

  /** Where the cell is in the document; null where it is no longer edited, or live preview is switched off. */
  get range(): Stretch | null {
    return this.options.outer.state.field(editedCell, false) ?? null;
  }

  /** Puts the caret to a place. */
  select(place: CaretPlace): void {
    this.view.focus();
    this.view.dispatch({ selection: { anchor: this.positionOf(place) } });
  }

  private positionOf(place: CaretPlace): number {
    const { view } = this;
    if (typeof place === 'object') return view.posAtCoords(place, false);
    if (place === 'start') return 0;
    return place === 'end' ? view.state.doc.length : positionAt(place, view);
  }

  /** Takes over what the document has become. */
  follow(changes: ChangeDesc, before: Stretch, isByOwnHistory: boolean): void {
    const { outer } = this.options;
    const { view, range } = this;
    if (!range) return;
    const text = outer.state.sliceDoc(range.from, range.to);
    if (text !== view.state.doc.toString()) {
      view.dispatch({
        changes: changesFor(changes, before, range, text, view.state.doc.toString()),
        annotations: [fromDocument.of(true), Transaction.addToHistory.of(false)],
      });
    }
    if (!isByOwnHistory) return;
    const { anchor, head } = outer.state.selection.main;
    const within = (at: number) => Math.min(Math.max(0, at - range.from), text.length);
    view.dispatch({
      selection: EditorSelection.single(within(anchor), within(head)),
      annotations: fromDocument.of(true),
    });
  }

  destroy(): void {
    this.view.destroy();
  }

  private extensions(): Extension {
    const { outer, label, keys } = this.options;
    return [
      EditorView.cspNonce.of(outer.state.facet(EditorView.cspNonce)),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'true' }),
      EditorState.transactionFilter.of(asWordsOfCell),
      typingOver(),
      keymap.of(keys),
      outer.state.facet(cellTools)?.extensions ?? [],
      keymap.of(standardKeymap),
      EditorView.domEventHandlers({
        focus: () => this.tell(),
        blur: () => this.tell(),
        compositionend: () => {
          // What waited for the end of the composition is shown then.
          setTimeout(() => outer.dispatch({}), COMPOSITION_ENDS_MS);
        },
      }),
    ];
  }

  /** Lets the document know where the caret is, and whether it has the keyboard. */
  private tell(): void {
    const { outer } = this.options;
    queueMicrotask(() => {
      if (this.range) outer.dispatch({ selection: outer.state.selection, annotations: fromCell.of(true) });
    });
  }

  /** Passes what was done here to the document. */
  private pass(transaction: Transaction): void {
    if (transaction.annotation(fromDocument) || !(transaction.docChanged || transaction.selection)) return;
    const { outer } = this.options;
    const { range, missing } = this;
    if (!range) return;
    const { main } = transaction.newSelection;
    const ahead = transaction.docChanged ? (missing?.ahead ?? '') : '';
    const base = range.from + ahead.length;
    const userEvent = transaction.annotation(Transaction.userEvent);
    outer.dispatch({
      ...(transaction.docChanged && { changes: this.changesOf(transaction, range) }),
      selection: EditorSelection.single(base + main.anchor, base + main.head),
      effects: editsCell.of({ from: base, to: base + transaction.newDoc.length }),
      annotations: fromCell.of(true),
      // A selection by pointer would take the keyboard into the document.
      ...(userEvent && transaction.docChanged && { userEvent }),
    });
    if (transaction.docChanged) this.missing = null;
    this.agree();
  }

  private changesOf(transaction: Transaction, range: Stretch): ChangeSpec[] {
    const { outer } = this.options;
    const { missing } = this;
    const text = transaction.newDoc.toString();
    if (missing) return [{ from: range.from, to: range.to, insert: missing.ahead + text + missing.behind }];
    const changes: ChangeSpec[] = [];
    transaction.changes.iterChanges((from, to, _from, _to, inserted) =>
      changes.push({ from: range.from + from, to: range.from + to, insert: inserted }),
    );
    // A backslash at the end would take the `|` behind it into the cell.
    const isOpen = /(?<!\\)(?:\\\\)*\\$/.test(text) && outer.state.sliceDoc(range.to, range.to + 1) === '|';
    if (isOpen) changes.push({ from: range.to, insert: ' ' });
    return changes;
  }

  /** The document may have refused what was typed. */
  private agree(): void {
    const { range, view } = this;
    if (!range) return;
    const text = this.options.outer.state.sliceDoc(range.from, range.to);
    const own = view.state.doc.toString();
    if (text !== own)
      view.dispatch({
        changes: { from: 0, to: own.length, insert: text },
        annotations: fromDocument.of(true),
      });
  }
}

/** The changes of the document within the cell; all of the cell where one reaches out of it. */
function changesFor(
  changes: ChangeDesc,
  before: Stretch,
  after: Stretch,
  text: string,
  own: string,
): ChangeSpec {
  const inside: { from: number; to: number; insert: string }[] = [];
  let isWithin = true;
  changes.iterChangedRanges((from, to, fromNow, toNow) => {
    if (to < before.from || from > before.to) return;
    isWithin &&= from >= before.from && to <= before.to && fromNow >= after.from && toNow <= after.to;
    inside.push({
      from: from - before.from,
      to: to - before.from,
      insert: text.slice(fromNow - after.from, toNow - after.from),
    });
  }, true);
  return isWithin && inside.length > 0 ? inside : { from: 0, to: own.length, insert: text };
}

/** Makes words of a cell of what is typed or pasted: without line breaks, and with a backslash ahead of each `|`. */
function asWordsOfCell(transaction: Transaction): Transaction | TransactionSpec {
  if (!transaction.docChanged || transaction.annotation(fromDocument)) return transaction;
  const text = transaction.newDoc.toString();
  const words = asCell(text);
  if (words === text) return transaction;
  const before = transaction.startState.doc.toString();
  const most = Math.min(before.length, words.length);
  let ahead = 0;
  while (ahead < most && before[ahead] === words[ahead]) ahead++;
  let behind = 0;
  while (behind < most - ahead && before.at(-1 - behind) === words.at(-1 - behind)) behind++;
  const userEvent = transaction.annotation(Transaction.userEvent);
  return {
    changes: { from: ahead, to: before.length - behind, insert: words.slice(ahead, words.length - behind) },
    selection: { anchor: asCell(text.slice(0, transaction.newSelection.main.head)).length },
    ...(userEvent && { userEvent }),
    scrollIntoView: true,
  };
}
