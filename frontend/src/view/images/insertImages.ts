/**
 * Images in the text editor: pasted, dropped or chosen. They are read first, which takes a moment in which others and
 * oneself may type on; so their place moves with the text. Not here: the files (`keptImages.ts`), sending.
 */
import { EditorSelection, StateEffect, StateField, type TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { altOf, imageAddress, imagesMarkdown } from '../../model/text/images';
import type { LocalImage, Uploads } from '../../sync/images/uploads';
import { keptImages } from './keptImages';
import { carriesFiles, chooseFiles, droppedFiles, pastedFiles } from './takenFiles';

/** The text editor as far as images need it. */
export interface ImageEditor {
  view: EditorView;
  /** Applies a transaction that is undone by itself. */
  step: (spec: TransactionSpec) => void;
}

export interface ImageTools {
  uploads: Uploads;
  /** Called with each image once it is in the text. */
  onInserted: (images: readonly LocalImage[]) => void;
  /** Called with the reasons why files were left out. */
  onProblems: (problems: readonly string[]) => void;
}

interface Place {
  from: number;
  to: number;
}

const hold = StateEffect.define<{ id: symbol; place: Place }>();
const release = StateEffect.define<symbol>();

const places = StateField.define<ReadonlyMap<symbol, Place>>({
  create: () => new Map(),
  update(before, { effects, changes, docChanged }) {
    const next = new Map(before);
    if (docChanged)
      for (const [id, { from, to }] of before) {
        const start = changes.mapPos(from, 1);
        next.set(id, { from: start, to: Math.max(start, changes.mapPos(to, from === to ? 1 : -1)) });
      }
    for (const effect of effects) {
      if (effect.is(hold)) next.set(effect.value.id, effect.value.place);
      if (effect.is(release)) next.delete(effect.value);
    }
    return next;
  },
});

/** Takes files that are pasted into an editor or dropped onto it. Returns a function that ends that. */
export function takeFiles(editor: ImageEditor, tools: ImageTools): () => void {
  const { view } = editor;
  const ends = new AbortController();
  // Before the editor, which would insert the contents of files as text.
  const options = { capture: true, signal: ends.signal };
  const own = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  const pasted = (event: ClipboardEvent) => {
    const files = pastedFiles(event.clipboardData);
    if (files.length === 0) return;
    own(event);
    void insertImages(editor, files, tools);
  };
  const over = (event: DragEvent) => {
    if (!carriesFiles(event.dataTransfer)) return;
    own(event);
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
    caretTo(view, event);
  };
  const dropped = (event: DragEvent) => {
    const files = droppedFiles(event.dataTransfer);
    if (files.length === 0) return;
    own(event);
    caretTo(view, event);
    view.focus();
    void insertImages(editor, files, tools);
  };
  view.dom.addEventListener('paste', pasted, options);
  view.dom.addEventListener('dragover', over, options);
  view.dom.addEventListener('drop', dropped, options);
  return () => ends.abort();
}

/** Shows where it would be inserted. */
function caretTo(view: EditorView, { clientX, clientY }: DragEvent): void {
  const at = view.posAtCoords({ x: clientX, y: clientY });
  if (at !== null) view.dispatch({ selection: { anchor: at } });
}

/** Has files chosen, and inserts them at the caret. */
export function chooseImages(editor: ImageEditor, tools: ImageTools): void {
  chooseFiles((files) => void insertImages(editor, files, tools), { isMultiple: true });
}

/** Inserts files in place of the selection, as one step of undo, with the first alternative text selected. */
export async function insertImages(
  { view, step }: ImageEditor,
  files: readonly File[],
  tools: ImageTools,
): Promise<void> {
  const id = Symbol('place');
  const { from, to } = view.state.selection.main;
  if (!view.state.field(places, false)) view.dispatch({ effects: StateEffect.appendConfig.of(places) });
  view.dispatch({ effects: hold.of({ id, place: { from, to } }) });
  const { images, problems } = await keptImages(files, tools.uploads);
  if (problems.length > 0) tools.onProblems(problems);
  const place = view.state.field(places, false)?.get(id);
  if (!place || images.length === 0) {
    view.dispatch({ effects: release.of(id) });
    return;
  }
  const { insert, altFrom, altTo } = imagesMarkdown(
    images.map(({ name, sha256, type }) => ({ alt: altOf(name), address: imageAddress(sha256, type) })),
  );
  const { main } = view.state.selection;
  // Whoever went on typing elsewhere stays there.
  const isHere = main.from === place.from && main.to === place.to;
  step({
    changes: { ...place, insert },
    effects: release.of(id),
    userEvent: 'input.paste',
    ...(isHere && {
      selection: EditorSelection.single(place.from + altFrom, place.from + altTo),
      scrollIntoView: true,
    }),
  });
  if (isHere) view.focus();
  tools.onInserted(images);
}
