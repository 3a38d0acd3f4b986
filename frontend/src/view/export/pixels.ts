/** Renders an SVG to a PNG, with its font, in strips, so that the page stays responsive. */

import { FACES, FONT_NAME } from '../../model/export/letterWidths';
import { pixelSize } from '../../model/export/pixelSize';
import { type Picture, resized } from '../../model/export/svg';

/** Pixels between two yields to the event loop. */
const STRIP = 3_000_000;

/** Throws with a message for the person where this browser cannot make it. */
export async function pixelsOf(
  picture: Picture,
  factor: number,
  onProgress: (share: number) => void,
): Promise<Blob> {
  const size = pixelSize(picture, factor);
  // With the SVG at the size of the picture text and lines are rendered sharply.
  const svg = resized(picture, size).svg.replace('<title>', `${await fontStyle()}<title>`);
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image(size.width, size.height);
    image.src = address;
    await image.decode();
    return await asPng(await strips(image, size, onProgress));
  } finally {
    URL.revokeObjectURL(address);
  }
}

async function strips(
  image: HTMLImageElement,
  { width, height }: { width: number; height: number },
  onProgress: (share: number) => void,
): Promise<HTMLCanvasElement> {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error(TOO_LARGE);
  const step = Math.max(16, Math.floor(STRIP / width));
  for (let y = 0; y < height; y += step) {
    const part = Math.min(step, height - y);
    context.drawImage(image, 0, y, width, part, 0, y, width, part);
    onProgress((y + part) / height);
    await new Promise((resolve) => setTimeout(resolve));
  }
  return canvas;
}

const TOO_LARGE = 'This browser has no room for a picture of this size. Choose a smaller size, or SVG.';

const asPng = (canvas: HTMLCanvasElement): Promise<Blob> =>
  new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error(TOO_LARGE))), 'image/png');
  });

/** Where the server has the font of pictures. An SVG that is drawn as an image reads no other file, so it carries the font. */
const FONT_FOLDER = `${import.meta.env.BASE_URL}picture/`;

let loadedStyle: Promise<string> | null = null;

/** The style with both faces; empty where the server does not answer, and the picture is drawn in another font. */
function fontStyle(): Promise<string> {
  loadedStyle ??= Promise.all(FACES.map(face)).then(
    (rules) => `<style>${rules.join('')}</style>`,
    () => {
      loadedStyle = null;
      return '';
    },
  );
  return loadedStyle;
}

async function face(weight: number): Promise<string> {
  const response = await fetch(`${FONT_FOLDER}${FONT_NAME}-${weight}.ttf`);
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
