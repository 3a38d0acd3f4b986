/** The font of pictures, as a style that an SVG carries into pixels: an image reads no other file. */
import { FACES, FONT_NAME } from '../../model/export/letterWidths';

const FOLDER = `${import.meta.env.BASE_URL}picture/`;

let style: Promise<string> | null = null;

/** The style with both faces; empty where the server does not answer, and the picture is drawn in another font. */
export function fontStyle(): Promise<string> {
  style ??= Promise.all(FACES.map(face)).then(
    (rules) => `<style>${rules.join('')}</style>`,
    () => {
      style = null;
      return '';
    },
  );
  return style;
}

async function face(weight: number): Promise<string> {
  const response = await fetch(`${FOLDER}${FONT_NAME}-${weight}.ttf`);
  if (!response.ok) throw new Error(`The font is not there: ${response.status}`);
  const address = await dataAddress(await response.blob());
  return `@font-face{font-family:${FONT_NAME};font-weight:${weight};src:url(${address})}`;
}

const dataAddress = (content: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^data:[^;,]*/, 'data:font/ttf'));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(content);
  });
