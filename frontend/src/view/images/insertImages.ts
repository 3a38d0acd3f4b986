/**
 * Images in the text editor: pasted, dropped or chosen. They are read first, which takes a moment in which others and
 * oneself may type on; so their place moves with the text. Not here: the files (`keptImages.ts`), sending.
 */
import { EditorSelection, type TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { altOf, imageAddress, imagesMarkdown } from '../../model/text/images';
import type { LocalImage, Uploads } from '../../sync/images/uploads';
import { type FilesForText, filesForText } from '../context/offeredFiles';
import { chooseFiles } from './chooseFiles';
import { keptImages } from './keptImages';
import { carriesFiles } from './takenFiles';

/** The text editor as far as images need it. */
export interface ImageEditor {
  view: EditorView;
  /** Applies a transaction that is undone by itself. */
  step: (spec: TransactionSpec) => void;
  /** Offers files to be inserted in place of the selection. */
  insertFiles: (files: readonly File[]) => void;
}

export interface ImageTools {
  uploads: Uploads;
  /** Called with each image once it is in the text. */
  onInserted: (images: readonly LocalImage[]) => void;
  /** Called with the reasons why files were left out. */
  onProblems: (problems: readonly string[]) => void;
}

/** Takes files that are brought into an editor, and shows where they would be dropped. Returns a function that ends that. */
export function takeFiles(editor: ImageEditor, tools: ImageTools): () => void {
  const { view } = editor;
  const over = (event: DragEvent) => {
    if (!carriesFiles(event.dataTransfer)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
    const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
    if (at !== null) view.dispatch({ selection: { anchor: at } });
  };
  const ends = new AbortController();
  view.dom.addEventListener('dragover', over, { capture: true, signal: ends.signal });
  ends.signal.addEventListener(
    'abort',
    filesForText.take(view, (brought) => void insertImages(editor, brought, tools)),
  );
  return () => ends.abort();
}

/** Has files chosen, and inserts them at the caret. */
export function chooseImages({ insertFiles }: ImageEditor): void {
  chooseFiles(insertFiles, { isMultiple: true });
}

/** Inserts files at their place, as one step of undo, with the first alternative text selected. */
async function insertImages(
  { view, step }: ImageEditor,
  { files, place, release }: FilesForText,
  tools: ImageTools,
): Promise<void> {
  const { images, problems } = await keptImages(files, tools.uploads);
  release();
  if (problems.length > 0) tools.onProblems(problems);
  if (images.length === 0) return;
  const { insert, altFrom, altTo } = imagesMarkdown(
    images.map(({ name, sha256, type }) => ({ alt: altOf(name), address: imageAddress(sha256, type) })),
  );
  const { main } = view.state.selection;
  // Whoever went on typing elsewhere stays there.
  const isHere = main.from === place.from && main.to === place.to;
  step({
    changes: { ...place, insert },
    userEvent: 'input.paste',
    ...(isHere && {
      selection: EditorSelection.single(place.from + altFrom, place.from + altTo),
      scrollIntoView: true,
    }),
  });
  if (isHere) view.focus();
  tools.onInserted(images);
}
