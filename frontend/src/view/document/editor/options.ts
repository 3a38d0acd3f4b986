/** Options of the text editor, and what of them its later parts read out of its state. */
import { Facet } from '@codemirror/state';
import type { LiveClient } from '../../../sync/client/client';
import type { TextClient } from '../../../sync/editor/codemirror';
import type { WritingLook } from '../../../sync/preferences';

export interface EditorOptions {
  parent: HTMLElement;
  client: LiveClient;
  text: TextClient;
  look: WritingLook;
  onCaret: (caret: { anchor: number; head: number } | null) => void;
  /** A link to a node was followed. */
  onOpenNode: (id: string) => void;
  /** An image was asked for in the menu of `/`. */
  onImage: () => void;
}

/** Asks for images, which are put where the caret is. */
export const askForImages = Facet.define<() => void>();
