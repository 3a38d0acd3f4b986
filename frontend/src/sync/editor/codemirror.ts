/**
 * CodeMirror 6 bound to the document: local changes go to the client at once, remote changes are dispatched to the
 * editor, and remote carets are drawn (`codemirrorCarets.ts`).
 *
 * The editor's undo takes back one's own typing only: remote changes are not added to its history. CodeMirror puts its
 * styles into the page; where the security policy forbids that, mount the editor in a shadow root (and pass it as
 * `root`), or give it the policy's nonce (`EditorView.cspNonce`). Not here: sending, rebasing and merging, which are
 * the client's.
 */
import { history, historyKeymap } from '@codemirror/commands';
import {
  Annotation,
  ChangeSet,
  EditorState,
  type Extension,
  Facet,
  type Text,
  Transaction,
} from '@codemirror/state';
import { type EditorView, keymap, type PluginValue, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { type AnyChanges, normal } from '../../model/core/changes';
import { changesBetween } from '../../model/core/textDiff';
import type { LiveClient } from '../client/client';
import { caretsMoved, drawnCarets, type OthersCaret } from './codemirrorCarets';

/** The part of the client that the editor uses. */
export type TextClient = Pick<LiveClient, 'view' | 'member' | 'members' | 'type' | 'caretHere' | 'subscribe'>;

/** One's own, null for none. */
type Caret = { anchor: number; head: number } | null;

export interface LiveTextOptions {
  /** Called with one's own caret in the shown text, and with null on blur. */
  onCaret?: (caret: Caret) => void;
  /** Whether the editor binds the undo keys itself (default); else the page handles them. */
  hasHistoryKeys?: boolean;
}

/** Annotates transactions that carry remote changes. */
const fromOthers = Annotation.define<boolean>();

/** Whether a composition goes on in an editor inside of this one, at the caret of this one, as in a cell of a table. */
export const composesInside = Facet.define<(view: EditorView) => boolean>();

/** Longer than CodeMirror itself waits (50 ms) before it reads the end of a composition. */
const COMPOSITION_ENDS_MS = 100;

/** An editor extension: the client's text, a history of one's own typing, and the carets of others. */
export function liveText(client: TextClient, options: LiveTextOptions = {}): Extension {
  return [
    history(),
    options.hasHistoryKeys === false ? [] : keymap.of(historyKeymap),
    EditorState.transactionFilter.of(withoutHalfCharacters),
    drawnCarets(),
    ViewPlugin.define((view) => new Exchange(view, client, options), {
      eventObservers: {
        compositionend() {
          this.compositionEnds();
        },
      },
    }),
  ];
}

/** As CodeMirror's own value, in normal form. */
const setOf = (changes: AnyChanges): ChangeSet => ChangeSet.fromJSON(normal(changes));

/** Carries changes both ways between an editor and the client. */
class Exchange implements PluginValue {
  /** Remote changes that are not shown yet, relative to the shown text. */
  private unseen: ChangeSet | null = null;
  private areCaretsOld = true;
  private isAsked = false;
  private isGone = false;
  private readonly leave: () => void;

  constructor(
    private readonly view: EditorView,
    private readonly client: TextClient,
    private readonly options: LiveTextOptions,
  ) {
    this.leave = client.subscribe((change) => {
      if (change.text) this.take(setOf(change.text));
      if (change.text || change.presence || change.members) this.areCaretsOld = true;
      if (this.areCaretsOld) this.ask();
    });
    const editorText = view.state.doc.toString();
    if (editorText !== client.view.text) this.take(setOf(changesBetween(editorText, client.view.text)));
    this.ask();
  }

  update(update: ViewUpdate): void {
    const own = update.transactions.filter((transaction) => !transaction.annotation(fromOthers));
    for (const { docChanged, changes } of own) if (docChanged) this.tell(changes);
    // Remote changes move one's caret as well, but their authors know that themselves.
    const hasMoved = own.some(({ docChanged, selection }) => docChanged || selection);
    if (hasMoved || update.focusChanged) this.tellCaret();
    if (this.unseen || this.areCaretsOld) this.ask();
  }

  destroy(): void {
    this.isGone = true;
    this.leave();
    this.say(null);
  }

  /** Shows what had to wait, also where a composition was cancelled and there is no update of the editor. */
  compositionEnds(): void {
    setTimeout(() => this.ask(), COMPOSITION_ENDS_MS);
  }

  private take(changes: ChangeSet): void {
    this.unseen = this.unseen ? this.unseen.compose(changes) : changes;
  }

  /** Passes a local change to the client, whose text may be ahead of what is shown. */
  private tell(changes: ChangeSet): void {
    const { unseen } = this;
    if (unseen) this.unseen = unseen.map(changes, true);
    this.client.type(normal(unseen ? changes.map(unseen) : changes));
  }

  private tellCaret(): void {
    const { anchor, head } = this.view.state.selection.main;
    // The focus may be in a part of the text that has an editor of its own.
    const isHere = this.view.contentDOM.contains(this.view.root.activeElement);
    this.say(isHere ? { anchor, head } : null);
  }

  /** CodeMirror ends an extension that throws, and what is typed from then on would reach nobody: errors are reported. */
  private say(caret: Caret): void {
    try {
      this.options.onCaret?.(caret);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }

  /** Shows remote changes, once per tick, and never during an update of the editor. */
  private ask(): void {
    if (this.isAsked) return;
    this.isAsked = true;
    queueMicrotask(() => {
      this.isAsked = false;
      if (!this.isGone && !this.mustWait()) this.show();
    });
  }

  /** Whether a remote change would interrupt a composition (IME): it is in a line that others have changed. */
  private mustWait(): boolean {
    const { view } = this;
    const isInside = () => view.state.facet(composesInside).some((composes) => composes(view));
    if (!this.unseen || !(view.compositionStarted || isInside())) return false;
    const { from, to } = view.state.doc.lineAt(view.state.selection.main.head);
    return this.unseen.touchesRange(from, to) !== false;
  }

  private show(): void {
    const { unseen } = this;
    this.unseen = null;
    this.areCaretsOld = false;
    this.view.dispatch({
      ...(unseen ? { changes: unseen } : {}),
      effects: caretsMoved.of(this.carets()),
      annotations: [fromOthers.of(true), Transaction.addToHistory.of(false), Transaction.remote.of(true)],
    });
  }

  private carets(): OthersCaret[] {
    const { client } = this;
    return client.members.flatMap(({ member, name, color, state }) => {
      const caret = member === client.member ? null : (state.caret as Parameters<typeof client.caretHere>[0]);
      const here = caret && client.caretHere(caret);
      return here ? [{ member, name, color, ...here }] : [];
    });
  }
}

/**
 * Rejects changes that would leave half a surrogate pair in the text, which JSON cannot carry.
 *
 * Carriage returns do not occur: CodeMirror takes them for line ends.
 */
function withoutHalfCharacters(transaction: Transaction): Transaction | readonly [] {
  if (!transaction.docChanged || transaction.annotation(fromOthers)) return transaction;
  let isWhole = true;
  transaction.changes.iterChangedRanges((_fromA, _toA, from, to) => {
    isWhole &&= !hasHalf(transaction.newDoc, from, to);
  });
  return isWhole ? transaction : [];
}

/** Whether half a pair stands between two positions or beside them. */
function hasHalf(text: Text, from: number, to: number): boolean {
  const start = Math.max(0, from - 2);
  const end = Math.min(text.length, to + 2);
  let around = text.sliceString(start, end);
  if (start > 0) around = around.replace(/^[\udc00-\udfff]/, ''); // the rest of a pair that begins further ahead
  if (end < text.length) around = around.replace(/[\ud800-\udbff]$/, '');
  return /\p{Surrogate}/u.test(around);
}
