/** Options of the text editor. */
import type { LiveClient } from '../../../sync/client/client';
import type { TextClient } from '../../../sync/editor/codemirror';

export interface EditorOptions {
  parent: HTMLElement;
  client: LiveClient;
  text: TextClient;
  onCaret: (caret: { anchor: number; head: number } | null) => void;
  /** A link to a node was followed. */
  onOpenNode: (id: string) => void;
}
