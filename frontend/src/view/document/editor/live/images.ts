/**
 * Own images in live preview: each stands in place of its reference, and behind it where that is shown. Not here: where the
 * bytes come from (`view/images/proseImages.ts`, which watches the text), images of other servers, which stay words.
 */
import type { Extension } from '@codemirror/state';
import { type EditorView, WidgetType } from '@codemirror/view';
import { type ImageReference, imagesIn } from '../../../../model/text/images';
import { type LaterPaint, laterPaints } from './inline';

/** Nodes that a reference may be: `![…](…)`, `<img …>` among words, and one in a line of its own. */
const REFERENCES = new Set(['Image', 'HTMLTag', 'HTMLBlock']);

/** Longer ones are no references. */
const MAX_LENGTH = 4_000;

const paintImage: LaterPaint = (painter, { name, from, to }) => {
  if (!REFERENCES.has(name) || to - from > MAX_LENGTH) return false;
  const source = painter.text(from, to).trimEnd();
  if (source.includes('\n')) return false;
  const [image] = imagesIn(source);
  if (!image || image.from > 0 || image.to < source.length) return false;
  const end = from + source.length;
  const widget = new OwnImage(image);
  if (painter.isRevealed({ from, to: end })) painter.behind(end, widget);
  else painter.replace(from, end, widget);
  return true;
};

class OwnImage extends WidgetType {
  constructor(private readonly image: ImageReference) {
    super();
  }

  override eq({ image }: OwnImage): boolean {
    const { address, alt, width } = this.image;
    return image.address === address && image.alt === alt && image.width === width;
  }

  override toDOM(view: EditorView): HTMLElement {
    const { address, alt, width } = this.image;
    const place = document.createElement('span');
    place.className = 'live-image';
    const image = place.appendChild(document.createElement('img'));
    image.dataset.image = address;
    image.alt = alt;
    image.draggable = false;
    if (width !== null) image.width = width;
    // What is below moves.
    for (const event of ['load', 'error']) image.addEventListener(event, () => view.requestMeasure());
    return place;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

export const imageLook = (): Extension => laterPaints.of(paintImage);
