/** What the page asks of its text editor. The editor itself is loaded when it is first needed (`editor/open.ts`). */
import type { EditorView } from '@codemirror/view';
import type { TextChange } from '../../model/text/tasks';
import type { DiagramNode } from '../../protocol/types';

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

/** What links in the text may lead to, and what of it is selected. */
export interface LinkTargets {
  nodes: ReadonlyMap<string, DiagramNode>;
  selected: ReadonlySet<string>;
}

export interface EditorHandle {
  focus(): void;
  format(format: Format): void;
  /** Write `@` and offer the nodes. */
  mention(): void;
  find(): void;
  fold(what: Fold): void;
  /** Follow the link at the caret; whether there was one. */
  openLink(): boolean;
  /** Bring a stretch into sight and point it out; the caret goes there only if asked. */
  goTo(place: { from: number; to: number }, options?: { isCaretMoved?: boolean }): void;
  /** Change the text as typing does. */
  change(change: TextChange): void;
  surround(linkTargets: LinkTargets): void;
  /** Where the caret is. */
  caret(): number;
  /** The line at the upper edge, from 0, with the part of it that is out of sight. */
  topLine(): number;
  scrollToLine(line: number): void;
  /** Put a line at the upper edge, also where the editor has only just come into sight. */
  showLine(line: number): void;
  /** What scrolls. */
  scroller: HTMLElement;
  /** The editor itself, for parts that are read later and draw into it. */
  view: EditorView;
  lastTypedAt(): number | null;
  close(): void;
}
