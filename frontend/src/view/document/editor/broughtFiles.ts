/**
 * Files that are pasted into the text or dropped on it: offered to what inserts them, which is loaded after the editor, with a
 * place that moves with what others and oneself type meanwhile. Not here: inserting them (`view/images`).
 */
import { type EditorView, type PluginValue, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { filesForText } from '../../context/offeredFiles';
import { droppedFiles, pastedFiles } from '../../images/takenFiles';

class BroughtFiles implements PluginValue {
  private readonly places = new Set<{ from: number; to: number }>();

  constructor(private readonly view: EditorView) {
    const take = (event: ClipboardEvent | DragEvent) => {
      const isDropped = 'dataTransfer' in event;
      const files = isDropped ? droppedFiles(event.dataTransfer) : pastedFiles(event.clipboardData);
      if (files.length === 0) return;
      event.preventDefault();
      event.stopPropagation();
      if (isDropped) {
        const anchor = view.posAtCoords(event);
        if (anchor !== null) view.dispatch({ selection: { anchor } });
        view.focus();
      }
      this.offer(files);
    };
    // Before the editor, which would insert the contents of files as text.
    view.dom.addEventListener('paste', take, true);
    view.dom.addEventListener('drop', take, true);
  }

  update({ changes }: ViewUpdate): void {
    for (const place of this.places) {
      place.from = changes.mapPos(place.from, 1);
      place.to = Math.max(place.from, changes.mapPos(place.to, -1));
    }
  }

  /** Offers files to be inserted in place of the selection. */
  offer(files: readonly File[]): void {
    const { from, to } = this.view.state.selection.main;
    const place = { from, to };
    this.places.add(place);
    filesForText.offer(this.view, { files, place, release: () => this.places.delete(place) });
  }
}

export const broughtFiles = ViewPlugin.fromClass(BroughtFiles);
