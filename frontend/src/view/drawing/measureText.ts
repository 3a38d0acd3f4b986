/** Measures texts in the letters of labels; each text once. Where the pen comes from, the caller knows. */
import type { MeasureText } from '../../model/drawing/labels';

/** As `.edge-label` in `styles/canvas.css`; the weight is that of a label near what is selected, the widest. */
const LETTERS = '550 11.5px';
const KEPT = 5000;

type Pen = Pick<CanvasRenderingContext2D, 'measureText'>;

export function penWith<P extends Pen & { font: string }>(context: P | null, font: string): P | null {
  if (context) context.font = `${LETTERS} ${font}`;
  return context;
}

export function widthsBy(findPen: () => Pen | null): MeasureText {
  const known = new Map<string, number>();
  let pen: Pen | null = null;
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
