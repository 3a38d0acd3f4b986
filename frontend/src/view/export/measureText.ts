/** The width of texts in the font that this browser uses, with a cache. */
import { estimatedTextWidth, type MeasureText } from '../../model/export/typesetting';

const KEPT = 20_000;
const pens = new Map<string, CanvasRenderingContext2D | null>();
const widths = new Map<string, number>();

export const measureText: MeasureText = (text, letters) => {
  const key = `${letters.weight} ${letters.size} ${text}`;
  const known = widths.get(key);
  if (known !== undefined) return known;
  const width =
    penOf(letters.weight, letters.size)?.measureText(text).width ?? estimatedTextWidth(text, letters);
  if (widths.size >= KEPT) widths.clear();
  widths.set(key, width);
  return width;
};

function penOf(weight: number, size: number): CanvasRenderingContext2D | null {
  const key = `${weight} ${size}px`;
  const known = pens.get(key);
  if (known !== undefined) return known;
  const pen = document.createElement('canvas').getContext('2d');
  if (pen) pen.font = `${key} ${getComputedStyle(document.body).fontFamily}`;
  pens.set(key, pen);
  return pen;
}
