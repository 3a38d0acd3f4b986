/** How wide the labels of edges are in the font that this browser really uses; each text is measured once. */
import type { MeasureText } from '../../model/labels';

/** As `.edge-label` in `styles/canvas.css`; the weight is that of a label near what is selected, the widest. */
const LETTERS = '550 11.5px';
const KEPT = 5000;

const known = new Map<string, number>();
let pen: CanvasRenderingContext2D | null = null;

export const textWidth: MeasureText = (text) => {
  const before = known.get(text);
  if (before !== undefined) return before;
  pen ??= penOfThePage();
  const width = pen?.measureText(text).width ?? text.length * 7.5;
  if (known.size >= KEPT) known.clear();
  known.set(text, width);
  return width;
};

function penOfThePage(): CanvasRenderingContext2D | null {
  const context = document.createElement('canvas').getContext('2d');
  if (context) context.font = `${LETTERS} ${getComputedStyle(document.body).fontFamily}`;
  return context;
}
