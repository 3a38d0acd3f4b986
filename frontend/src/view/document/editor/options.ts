/** Options of the text editor. */
import type { Extension } from '@codemirror/state';
import type { LiveClient } from '../../../sync/client/client';
import type { TextClient } from '../../../sync/editor/codemirror';

export interface EditorOptions {
  parent: HTMLElement;
  client: LiveClient;
  text: TextClient;
  /** Live preview; null for the plain source. */
  preview: Extension | null;
  onCaret: (caret: { anchor: number; head: number } | null) => void;
  /** A link to a node was followed. */
  onOpenNode: (id: string) => void;
}
