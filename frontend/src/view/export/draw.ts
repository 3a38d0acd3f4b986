/** The drawing of a diagram for a picture: with full routing wherever the canvas has it, in a worker. */
import { type Drawing, FULL_ROUTING_UP_TO } from '../../model/drawing/drawing';
import { NO_FOLDS } from '../../model/drawing/folding';
import { drawingForPicture } from '../../model/export/picture';
import type { Diagram } from '../../protocol/types';
import type { DrawingAnswer, DrawingRequest } from '../drawing/workerMessages';

/** Up to this many nodes times edges full routing takes no noticeable time. */
const AT_ONCE = 1_500;

/** A drawing without waiting: with full routing where that is fast. */
export function drawSync(diagram: Diagram, upTo = AT_ONCE): Drawing {
  const size = diagram.nodes.length * diagram.edges.length;
  return drawingForPicture(diagram, size <= upTo ? 'full' : 'quick');
}

export function draw(diagram: Diagram, signal: AbortSignal): Promise<Drawing> {
  const size = diagram.nodes.length * diagram.edges.length;
  if (size <= AT_ONCE || size > FULL_ROUTING_UP_TO) return Promise.resolve(drawSync(diagram));
  return drawInWorker(diagram, signal);
}

function drawInWorker(diagram: Diagram, signal: AbortSignal): Promise<Drawing> {
  const worker = new Worker(new URL('../drawing/drawingWorker.ts', import.meta.url), { type: 'module' });
  return new Promise<Drawing>((resolve) => {
    const end = (drawing: Drawing) => {
      worker.terminate();
      resolve(drawing);
    };
    signal.addEventListener('abort', () => worker.terminate(), { once: true });
    worker.addEventListener('message', ({ data }: MessageEvent<DrawingAnswer>) => end(data.drawing));
    // Without a worker the drawing is made here.
    worker.addEventListener('error', () => end(drawSync(diagram)));
    worker.postMessage({ id: 1, diagram, folds: NO_FOLDS, font: null } satisfies DrawingRequest);
  });
}
