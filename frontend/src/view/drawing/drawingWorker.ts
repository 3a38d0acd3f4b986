/** The worker that makes drawings with full routing. */
import { drawingOf } from '../../model/drawing/drawing';
import { stayingAmong } from '../../model/drawing/moved/keptLines';
import { startLineShapes } from '../../model/drawing/shapes/lineShapes';
import { labelWidth } from '../../model/export/letterWidths';
import { textMeasurer, withLabelFont } from './measureText';
import type { DrawingAnswer, DrawingRequest } from './workerMessages';

startLineShapes();

let measure: ReturnType<typeof textMeasurer> | null = null;

self.addEventListener('message', ({ data }: MessageEvent<DrawingRequest>) => {
  const { id, diagram, folds, font, kept } = data;
  measure ??=
    font === null
      ? labelWidth
      : textMeasurer(() => {
          const canvas = typeof OffscreenCanvas === 'undefined' ? null : new OffscreenCanvas(1, 1);
          return withLabelFont(canvas?.getContext('2d') ?? null, font);
        });
  const drawing = drawingOf(diagram, { measure, folds, routing: 'full', kept: kept && stayingAmong(kept) });
  self.postMessage({ id, drawing } satisfies DrawingAnswer);
});
