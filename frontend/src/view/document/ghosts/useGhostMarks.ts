/** Updates the decorations of the editor from the shown ghosts. */
import { useEffect } from 'react';
import { NO_CHANGES, placeChanges } from '../../../model/text/ghostText';
import type { Ghosts } from '../../context/uiState';
import type { EditorHandle } from '../editorHandle';
import { propose } from './editorGhosts';

export function useGhostMarks({ steps, document }: Ghosts, editor: EditorHandle | null): void {
  useEffect(() => {
    if (editor) propose(editor.view, placeChanges(editor.view.state.doc.toString(), steps, document));
  }, [editor, steps, document]);
  // Not on every new list: the old decorations stay until the new ones are placed.
  useEffect(() => {
    if (!editor) return;
    return () => propose(editor.view, NO_CHANGES);
  }, [editor]);
}
