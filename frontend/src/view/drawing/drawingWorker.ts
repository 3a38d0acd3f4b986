/** Draws diagrams with care, off the page's own thread. */
import { drawingOf } from '../../model/drawing/drawing';
import { penWith, widthsBy } from './measureText';
import type { DrawingAnswer, DrawingRequest } from './workerMessages';

let measure: ReturnType<typeof widthsBy> | null = null;

self.addEventListener('message', ({ data }: MessageEvent<DrawingRequest>) => {
  const { ticket, diagram, folds, font } = data;
  measure ??= widthsBy(() => {
    const canvas = typeof OffscreenCanvas === 'undefined' ? null : new OffscreenCanvas(1, 1);
    return penWith(canvas?.getContext('2d') ?? null, font);
  });
  const drawing = drawingOf(diagram, { measure, folds, care: 'careful' });
  self.postMessage({ ticket, drawing } satisfies DrawingAnswer);
});
