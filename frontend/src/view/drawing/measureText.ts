/** Measures texts in the font of labels, with a cache. The caller provides the canvas context. */
import type { MeasureText } from '../../model/drawing/labels';

/** As `.edge-label` in `styles/canvas.css`; the weight is that of a highlighted label, the widest. */
const LETTERS = '550 11.5px';
const KEPT = 5000;

type TextContext = Pick<CanvasRenderingContext2D, 'measureText'>;

export function withLabelFont<P extends TextContext & { font: string }>(
  context: P | null,
  font: string,
): P | null {
  if (context) context.font = `${LETTERS} ${font}`;
  return context;
}

export function textMeasurer(findPen: () => TextContext | null): MeasureText {
  const known = new Map<string, number>();
  let pen: TextContext | null = null;
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    pen ??= findPen();
    const width = pen?.measureText(text).width ?? text.length * 7.5;
    if (known.size >= KEPT) known.clear();
    known.set(text, width);
    return width;
  };
}
