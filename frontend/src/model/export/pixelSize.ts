/** Possible sizes of a picture in pixels. Pure. */
import type { Size } from '../../protocol/types';

/** The largest canvas of every current browser, on computers with little memory too. */
export const MAX_SIDE = 16_000;
const MAX_AREA = 100_000_000;

const FACTORS = [1, 2, 3] as const;

export interface PixelSize extends Size {
  /** Pixels for each pixel of the diagram. */
  factor: number;
  fits: boolean;
}

export function pixelSize({ width, height }: Size, factor: number): PixelSize {
  const size = { width: Math.round(width * factor), height: Math.round(height * factor) };
  const fits = Math.max(size.width, size.height) <= MAX_SIDE && size.width * size.height <= MAX_AREA;
  return { ...size, factor, fits };
}

/** The sizes to choose from; where not even the first fits, the largest that does as well. */
export function pixelSizes(size: Size): PixelSize[] {
  const sizes = FACTORS.map((factor) => pixelSize(size, factor));
  if (sizes[0]?.fits) return sizes;
  const most = Math.min(
    MAX_SIDE / Math.max(size.width, size.height),
    Math.sqrt(MAX_AREA / (size.width * size.height)),
  );
  return [pixelSize(size, Math.floor(most * 1000) / 1000), ...sizes];
}

/** “2,880 × 1,800 pixels”. */
export const pixelWords = ({ width, height }: Size): string =>
  `${width.toLocaleString('en')} × ${height.toLocaleString('en')} pixels`;
