/**
 * Text with images that is copied in the text editor of a workspace, and pasted there: what the clipboard says of them. A file
 * of its own so that it can be tried without a page. Not here: their bytes (`copiedImages.ts`).
 */
import { imagesIn } from '../../model/text/images';
import type { CopiedImages } from './copiedImages';

/** The kind of content of the clipboard that says in which workspace a text was copied. */
const ORIGIN = 'application/x-draftsmith-workspace';

/** The images that a copied text names, and where it was copied. */
export function imagesCopied(data: Pick<DataTransfer, 'getData'>): {
  workspace: string;
  addresses: string[];
} {
  const html = data.getData('text/html');
  const inText = imagesIn(data.getData('text/plain')).map(({ address }) => address);
  // What is copied in Read has no content of ours beside it, but the attributes of its elements.
  const inHtml = [...html.matchAll(/\bdata-image="(images\/[0-9a-f]{64}\.\w{3,4})"/g)].map(
    ([, address = '']) => address,
  );
  const workspace = data.getData(ORIGIN) || (/\bdata-workspace="(\w{1,64})"/.exec(html)?.[1] ?? '');
  return { workspace, addresses: [...inText, ...inHtml] };
}

/**
 * Lets images come along with a text that is copied in the text editor of a workspace, and with one that is pasted there. Returns
 * a function that ends that.
 */
export function bringImagesAlong(
  editor: HTMLElement,
  workspace: string,
  onCopied: (copied: CopiedImages) => void,
): () => void {
  const ends = new AbortController();
  const { signal } = ends;
  // Behind the editor, which clears the clipboard before it writes to it.
  const mark = ({ clipboardData }: ClipboardEvent) => clipboardData?.setData(ORIGIN, workspace);
  editor.addEventListener('copy', mark, { signal });
  editor.addEventListener('cut', mark, { signal });
  const bring = ({ clipboardData }: ClipboardEvent) => {
    const copied = clipboardData && imagesCopied(clipboardData);
    if (!copied || copied.workspace === workspace || copied.addresses.length === 0) return;
    void import('./copiedImages')
      .then(({ copyImages }) => copyImages(copied.workspace, workspace, copied.addresses))
      .then((made) => !signal.aborted && onCopied(made))
      // Without that part the images are missing, as the page shows.
      .catch(() => undefined);
  };
  editor.addEventListener('paste', bring, { signal, capture: true });
  return () => ends.abort();
}
