/**
 * Opens the editor of a diagram as text: CodeMirror over a `TextSession`. What is typed goes to the session line by line, lines
 * that are left are sent, and what comes back is shown without touching the line that is being written.
 *
 * Not here: what lines mean and become (`model/diagramText`), what stands below them (`marks.ts`), completion (`offers.ts`).
 */
import type * as CodeMirrorCommands from '@codemirror/commands';
import { indentUnit } from '@codemirror/language';
import {
  Annotation,
  ChangeSet,
  Compartment,
  EditorState,
  type Extension,
  Prec,
  type Text,
  Transaction,
} from '@codemirror/state';
import { EditorView, keymap, placeholder, type ViewUpdate } from '@codemirror/view';
import { normal } from '../../model/core/changes';
import { changesBetween } from '../../model/core/textDiff';
import type { Choice } from '../../model/diagramText/batch';
import type { GhostLines } from '../../model/diagramText/ghosts';
import { idOf, isNodeKey } from '../../model/diagramText/projection';
import { EVERYTHING, type Reflow, TextSession } from '../../model/diagramText/session';
import type { TypeOfName } from '../../model/diagramText/syntax';
import type { Operation } from '../../protocol/live';
import type { Diagram } from '../../protocol/types';
import { look } from './look';
import { marks, setMarks } from './marks';
import { offers } from './offers';

export interface TextHandle {
  /** Shows a state of the diagram, to be edited or only to be read. */
  show(diagram: Diagram, isEditable: boolean): void;
  /** Marks the lines of what is selected. */
  mark(selection: { nodes: ReadonlySet<string>; edges: ReadonlySet<string> }): void;
  /** Shows beside the lines what a proposal would make of them; null for none. */
  propose(ghosts: GhostLines | null): void;
  focus(): void;
  /** Sends what is open, and closes. */
  close(): void;
}

interface Options {
  parent: HTMLElement;
  typeOf: TypeOfName;
  /** The newest state of the diagram. */
  diagram: () => Diagram;
  /** Sends operations. Returns why they were refused; null if they were not. */
  send: (operations: readonly Operation[]) => Promise<string | null>;
  onSelect: (nodes: string[], edges: string[]) => void;
  onProblems: (problems: readonly string[]) => void;
}

/** Annotates transactions that show what the session has printed. */
const printed = Annotation.define<boolean>();

/** So long nothing is typed before a line is sent that still has the caret. */
const PAUSE_MS = 1000;
/** So long what was cut may be pasted elsewhere before it is deleted. */
const CUT_MS = 8000;

const NO_GHOSTS: GhostLines = { going: new Set(), below: new Map() };
const NOWHERE = 'nowhere';

const EMPTY = 'Orders (service) [Go]\nWeb shop -> Orders: place order\nOrders ~> Mail queue: confirmation';

/** What the page itself does with these keys. */
const LEFT_TO_THE_PAGE = new Set(['Mod-/', 'Alt-A', 'Mod-Enter', 'Mod-i', 'Shift-Alt-a', 'Mod-Alt-\\']);

/** What the editor of the document has in its file, and is read with that. */
type EditorCommands = Pick<typeof CodeMirrorCommands, 'defaultKeymap' | 'history' | 'redo' | 'undo'>;

export function openText(options: Options, commands: EditorCommands): TextHandle {
  return new TextEditor(options, commands);
}

class TextEditor implements TextHandle {
  private session: TextSession;
  private readonly view: EditorView;
  private readonly past = new Compartment();
  private readonly access = new Compartment();
  private isEditable = false;
  private isClosed = false;
  /** The line of the caret when it was looked at last; the first is 0. */
  private caretLine = 0;
  private cutUntil = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private marked: ReadonlySet<string> = new Set();
  private ghosts: GhostLines = NO_GHOSTS;
  private hasProblems = false;
  /** A state of the diagram that is shown once a composition has ended. */
  private waiting: Diagram | null = null;

  constructor(
    private readonly options: Options,
    private readonly commands: EditorCommands,
  ) {
    this.session = new TextSession(options.typeOf);
    this.view = new EditorView({
      parent: options.parent,
      state: EditorState.create({ doc: this.text(), extensions: this.extensions() }),
    });
    document.addEventListener('visibilitychange', this.hidden, { capture: true });
  }

  show(diagram: Diagram, isEditable: boolean): void {
    if (isEditable !== this.isEditable) {
      // What was typed into another state says nothing of this one.
      if (!isEditable) this.settle(EVERYTHING);
      this.isEditable = isEditable;
      this.view.dispatch({ effects: this.access.reconfigure(accessTo(isEditable)) });
      this.restart(diagram);
    } else if (this.view.composing) this.waiting = diagram;
    else {
      this.reflow(this.session.show(diagram));
      if (this.hasProblems) this.tell();
    }
  }

  mark({ nodes, edges }: { nodes: ReadonlySet<string>; edges: ReadonlySet<string> }): void {
    this.marked = new Set([...[...nodes].map((id) => `node:${id}`), ...[...edges].map((id) => `edge:${id}`)]);
    this.draw();
    const first = this.session.lines.findIndex(({ key }) => key !== null && this.marked.has(key));
    if (first < 0 || this.view.hasFocus) return;
    const { from } = this.view.state.doc.line(first + 1);
    this.view.dispatch({ effects: EditorView.scrollIntoView(from, { y: 'nearest', yMargin: 24 }) });
  }

  propose(ghosts: GhostLines | null): void {
    this.ghosts = ghosts ?? NO_GHOSTS;
    this.draw();
  }

  focus(): void {
    this.view.focus();
  }

  close(): void {
    document.removeEventListener('visibilitychange', this.hidden, { capture: true });
    this.settle(EVERYTHING);
    clearTimeout(this.timer);
    this.isClosed = true;
    this.view.destroy();
  }

  // -- the editor -------------------------------------------------------------------------------------------

  private extensions(): Extension {
    const { history, undo, redo, defaultKeymap } = this.commands;
    const runOf = (wanted: string) => defaultKeymap.find(({ key }) => key === wanted)?.run;
    const nonce = document.querySelector<HTMLElement>('meta[property=csp-nonce]')?.nonce ?? '';
    return [
      EditorView.cspNonce.of(nonce),
      this.past.of(history()),
      this.access.of(accessTo(false)),
      EditorState.tabSize.of(2),
      indentUnit.of('  '),
      placeholder(example),
      EditorView.contentAttributes.of({ 'aria-label': 'Diagram as text', tabindex: '0' }),
      look,
      marks,
      offers(() => this.options.diagram()),
      EditorView.updateListener.of((update) => this.updated(update)),
      EditorView.domEventHandlers({ blur: () => this.left(), compositionend: () => this.composed() }),
      Prec.high(
        keymap.of([
          { key: 'Mod-z', run: (view) => this.session.isEdited && undo(view) },
          { key: 'Mod-Shift-z', mac: 'Mod-Shift-z', run: (view) => this.session.isEdited && redo(view) },
          { key: 'Mod-y', run: (view) => this.session.isEdited && redo(view) },
          { key: 'Mod-s', run: () => this.settleAll() },
          { key: 'Tab', run: (view) => runOf('Mod-]')?.(view) ?? false },
          { key: 'Shift-Tab', run: (view) => runOf('Mod-[')?.(view) ?? false },
          // Then Tab leaves the text, as it leaves any field.
          { key: 'Escape', run: (view) => this.leaveByTab(view) },
        ]),
      ),
      keymap.of(defaultKeymap.filter(({ key }) => !LEFT_TO_THE_PAGE.has(key ?? ''))),
    ];
  }

  private leaveByTab(view: EditorView): boolean {
    view.setTabFocusMode(2000);
    return false;
  }

  private text(): string {
    return this.session.lines.map(({ text }) => text).join('\n');
  }

  private updated({ transactions, state, selectionSet, docChanged, view }: ViewUpdate): void {
    const own = transactions.filter((transaction) => !transaction.annotation(printed));
    for (const transaction of own) if (transaction.docChanged) this.take(transaction);
    const line = state.doc.lineAt(state.selection.main.head).number - 1;
    const hasLeft = line !== this.caretLine;
    this.caretLine = line;
    if (own.length === 0) return;
    if (docChanged) this.wait(PAUSE_MS);
    if (docChanged && !isLeaving(own)) return;
    if (isPaste(own)) this.later(() => this.settleAll());
    else if (hasLeft) this.later(() => this.settleOthers());
    if (selectionSet && !docChanged && view.hasFocus) this.select(state);
  }

  /** Passes what was typed on to the session. */
  private take(transaction: Transaction): void {
    const { startState, newDoc, changes } = transaction;
    if (transaction.isUserEvent('delete.cut')) this.cutUntil = Date.now() + CUT_MS;
    else if (transaction.isUserEvent('input.paste')) this.cutUntil = 0;
    let [fromA, toA, fromB, toB] = [Number.POSITIVE_INFINITY, 0, Number.POSITIVE_INFINITY, 0];
    changes.iterChangedRanges((oldFrom, oldTo, from, to) => {
      fromA = Math.min(fromA, oldFrom);
      toA = Math.max(toA, oldTo);
      fromB = Math.min(fromB, from);
      toB = Math.max(toB, to);
    });
    const before = linesIn(startState.doc, fromA, toA);
    const after = linesIn(newDoc, fromB, toB);
    const texts = Array.from({ length: after.count }, (_, index) => newDoc.line(after.first + index).text);
    this.session.splice(before.first - 1, before.count, texts);
  }

  private select(state: EditorState): void {
    const { from, to } = state.selection.main;
    const { first, count } = linesIn(state.doc, from, to);
    const keys = this.session.lines.slice(first - 1, first - 1 + count).flatMap(({ key }) => key ?? []);
    if (keys.length === 0) return;
    const nodes = keys.filter(isNodeKey).map(idOf);
    this.later(() => this.options.onSelect(nodes, keys.filter((key) => !isNodeKey(key)).map(idOf)));
  }

  /** Changes the editor once its update is over. */
  private later(act: () => void): void {
    queueMicrotask(() => {
      if (!this.isClosed) act();
    });
  }

  // -- sending ----------------------------------------------------------------------------------------------

  private wait(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.paused(), ms);
  }

  private paused(): void {
    if (this.view.composing) {
      this.wait(PAUSE_MS);
      return;
    }
    const left = this.cutUntil - Date.now();
    this.settle({ ...EVERYTHING, caret: this.caretLine, isDeleting: left <= 0 });
    if (left > 0) this.wait(left);
  }

  /** The caret is in another line: the ones that it has left are sent. */
  private settleOthers(): void {
    const { caretLine } = this;
    this.settle({
      isWanted: (line) => line !== caretLine,
      caret: caretLine,
      isDeleting: Date.now() >= this.cutUntil,
    });
  }

  private settleAll(): boolean {
    this.settle(EVERYTHING);
    return true;
  }

  private left(): void {
    this.later(() => {
      // Not where the whole window was left.
      if (this.view.hasFocus || document.activeElement === this.view.contentDOM) return;
      this.settle({ ...EVERYTHING, isDeleting: Date.now() >= this.cutUntil });
    });
  }

  private readonly hidden = (): void => {
    if (document.visibilityState === 'hidden') this.paused();
  };

  private settle(choice: Choice): void {
    if (!this.isEditable || this.view.composing) return;
    const { session } = this;
    const { sent, reflow } = session.take(choice);
    this.reflow(reflow);
    if (sent.operations.length > 0) {
      // What is sent is undone as the step that it is.
      this.view.dispatch({ effects: this.past.reconfigure([]) });
      this.view.dispatch({ effects: this.past.reconfigure(this.commands.history()) });
      void this.options.send(sent.operations).then((why) => {
        const next = session.answered(sent, why, this.options.diagram());
        if (this.isClosed || session !== this.session) return;
        this.reflow(next);
        if (why !== null) this.tell();
      });
    }
    this.tell();
  }

  // -- showing ----------------------------------------------------------------------------------------------

  private composed(): void {
    // CodeMirror reads the end of a composition a moment later.
    setTimeout(() => {
      const { waiting } = this;
      if (this.isClosed || this.view.composing || !waiting) return;
      this.waiting = null;
      this.reflow(this.session.show(waiting));
    }, 100);
  }

  /** Begins anew with a state of the diagram. */
  private restart(diagram: Diagram): void {
    this.session = new TextSession(this.options.typeOf, diagram);
    this.view.dispatch({
      changes: { from: 0, to: this.view.state.doc.length, insert: this.text() },
      annotations: [printed.of(true), Transaction.addToHistory.of(false)],
    });
    this.draw();
  }

  /** Shows the lines of the session; the caret stays in its line. */
  private reflow(lines: Reflow): void {
    const { state } = this.view;
    const [old, now] = [state.doc.toString(), lines.map(({ text }) => text).join('\n')];
    if (old !== now) {
      const changes = ChangeSet.fromJSON(normal(changesBetween(old, now)));
      const doc = changes.apply(state.doc);
      const place = (at: number) =>
        placeIn(lines, { before: state.doc, after: doc, at }) ?? changes.mapPos(at);
      const { anchor, head } = state.selection.main;
      this.view.dispatch({
        changes,
        selection: { anchor: place(anchor), head: place(head) },
        annotations: [printed.of(true), Transaction.addToHistory.of(false)],
      });
    }
    this.draw();
  }

  private draw(problems: ReadonlyMap<number, string> | null = null): void {
    const [marked, going] = [new Set<number>(), new Set<number>()];
    const coming = new Map<number, readonly string[]>();
    for (const [line, { key }] of this.session.lines.entries()) {
      if (key !== null && this.marked.has(key)) marked.add(line);
      if (key !== null && this.ghosts.going.has(key)) going.add(line);
      const lines = this.ghosts.below.get(key ?? (line === 0 ? '' : NOWHERE));
      if (lines) coming.set(line, lines);
    }
    this.view.dispatch({ effects: setMarks.of({ marked, going, coming, problems }) });
  }

  /** Says below their lines why some cannot be sent. */
  private tell(): void {
    const problems = this.session.problems();
    this.hasProblems = problems.size > 0;
    this.draw(problems);
    this.options.onProblems([...problems].map(([line, why]) => `Line ${line + 1}: ${why}`));
  }
}

/** Read-only text can be read by keys as well. */
const accessTo = (isEditable: boolean): Extension => [
  EditorState.readOnly.of(!isEditable),
  EditorView.editable.of(isEditable),
];

function example(): HTMLElement {
  const lines = document.createElement('span');
  lines.className = 'text-example';
  lines.textContent = EMPTY;
  return lines;
}

/** The lines of a range, counted from 1. */
function linesIn(doc: Text, from: number, to: number): { first: number; count: number } {
  const first = doc.lineAt(from).number;
  return { first, count: doc.lineAt(to).number - first + 1 };
}

/** Whether lines were left by what was typed: Enter, unlike moving or deleting lines, ends one. */
const isLeaving = (transactions: readonly Transaction[]): boolean =>
  transactions.some((transaction) => transaction.isUserEvent('input'));

/** Whether whole lines were pasted, which are sent together. */
const isPaste = (transactions: readonly Transaction[]): boolean =>
  transactions.some(
    (transaction) =>
      transaction.isUserEvent('input.paste') &&
      transaction.newDoc.lines - transaction.startState.doc.lines > 0,
  );

interface Moved {
  before: Text;
  after: Text;
  at: number;
}

/** Where a place of a line is now: as far from the end of the line that has changed as from its start; null if it is gone. */
function placeIn(lines: Reflow, { before, after, at }: Moved): number | null {
  const line = before.lineAt(at);
  const index = lines.findIndex(({ from }) => from === line.number - 1);
  if (index < 0) return null;
  const now = after.line(index + 1);
  const column = at - line.from;
  let same = 0;
  while (same < column && line.text[same] === now.text[same]) same += 1;
  if (same === column) return now.from + column;
  return now.from + Math.max(same, now.length - (line.length - column));
}
