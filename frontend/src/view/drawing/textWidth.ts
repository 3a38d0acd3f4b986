/** The width of texts on the canvas in the font that this browser uses. */
import { estimatedLetterWidth, type LetterWidth } from '../../model/drawing/legible';
import { textMeasurer, withLabelFont } from './measureText';

const penOfPage = () => document.createElement('canvas').getContext('2d');
const fontOfPage = () => getComputedStyle(document.body).fontFamily;

/** Of labels of edges. */
export const textWidth = textMeasurer(() => withLabelFont(penOfPage(), fontOfPage()));

const letters = new Map<string, number>();
const pens = new Map<number, CanvasRenderingContext2D | null>();

/** Of a letter of a name, as a share of the font size. */
export const letterWidth: LetterWidth = (letter, weight) => {
  const key = `${weight}${letter}`;
  let width = letters.get(key);
  if (width === undefined) {
    width = penOf(weight)?.measureText(letter).width;
    width = width === undefined ? estimatedLetterWidth(letter, weight) : width / 100;
    letters.set(key, width);
  }
  return width;
};

function penOf(weight: number): CanvasRenderingContext2D | null {
  let pen = pens.get(weight);
  if (pen === undefined) {
    pen = penOfPage();
    if (pen) pen.font = `${weight} 100px ${fontOfPage()}`;
    pens.set(weight, pen);
  }
  return pen;
}
