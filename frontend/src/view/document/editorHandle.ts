/** The imperative interface of the text editor, which is loaded on first use (`editor/open.ts`). */
import type { TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { TextChange } from '../../model/text/tasks';
import type { DiagramNode } from '../../protocol/types';
import type { WritingLook } from '../../sync/preferences';

export type Format =
  | 'bold'
  | 'italic'
  | 'code'
  | 'heading'
  | 'list'
  | 'tasks'
  | 'link'
  | 'table'
  | 'mermaid'
  | 'section';

export type Fold = 'here' | 'not-here' | 'all' | 'none';

/** The nodes that links can refer to, and the selected ones. */
export interface LinkTargets {
  nodes: ReadonlyMap<string, DiagramNode>;
  selected: ReadonlySet<string>;
}

export interface EditorHandle {
  focus(): void;
  format(format: Format): void;
  /** Inserts `@` and opens the completion. */
  mention(): void;
  find(): void;
  /** Changes to live preview, as soon as it is loaded, or to the plain source, at the same place of the text. */
  show(look: WritingLook): void;
  fold(what: Fold): void;
  /** Follows the link at the caret. Returns whether there was one. */
  openLink(): boolean;
  /** Brings a range into view and highlights it; moves the caret only if asked. */
  goTo(place: { from: number; to: number }, options?: { isCaretMoved?: boolean }): void;
  /** Applies a change as if it were typed. */
  change(change: TextChange): void;
  /** Applies a transaction that is undone by itself. */
  step(spec: TransactionSpec): void;
  /** Has files inserted in place of the selection, as soon as what does so is loaded. */
  insertFiles(files: readonly File[]): void;
  surround(linkTargets: LinkTargets): void;
  /** The position of the caret. */
  caret(): number;
  /** The line of the caret, from 0; null where it is out of sight. */
  caretLine(): number | null;
  /** The line at the upper edge, from 0, with the fraction that is scrolled out. */
  topLine(): number;
  scrollToLine(line: number): void;
  /**
   * Scrolls a line to the upper edge, also where the editor has just become visible.
   *
   * `isCaretTaken`: a caret that would be out of sight then goes there too, so that keys do not lead back to where it was.
   */
  showLine(line: number, options?: { isCaretTaken?: boolean }): void;
  /** The scrolling element. */
  scroller: HTMLElement;
  /** The editor itself, for extensions that are loaded later. */
  view: EditorView;
  lastTypedAt(): number | null;
  close(): void;
}
