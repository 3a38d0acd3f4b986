/** What the text editor of the document is opened with. */
import type { LiveClient } from '../../../sync/client/client';
import type { TextClient } from '../../../sync/editor/codemirror';

export interface EditorOptions {
  parent: HTMLElement;
  client: LiveClient;
  text: TextClient;
  onCaret: (caret: { anchor: number; head: number } | null) => void;
  /** Somebody follows a link to a node. */
  onOpenNode: (id: string) => void;
}
