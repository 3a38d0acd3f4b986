/** The drawing of a diagram for a picture: with care wherever the canvas takes care, off the page's own thread. */
import { type Drawing, drawingOf, FULL_ROUTING_UP_TO } from '../../model/drawing/drawing';
import { NO_FOLDS } from '../../model/drawing/folding';
import type { Diagram } from '../../protocol/types';
import { textWidth } from '../drawing/textWidth';
import type { DrawingAnswer, DrawingRequest } from '../drawing/workerMessages';

/** Up to this many nodes times edges a drawing made with care is a matter of an eye's blink. */
const AT_ONCE = 1_500;

/** At once, for what cannot wait: with care where that is quickly done. */
export function drawSync(diagram: Diagram, upTo = AT_ONCE): Drawing {
  const size = diagram.nodes.length * diagram.edges.length;
  return drawingOf(diagram, { measure: textWidth, routing: size <= upTo ? 'full' : 'quick' });
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
    // A worker that cannot be started is no reason to have no picture.
    worker.addEventListener('error', () => end(drawSync(diagram)));
    const font = getComputedStyle(document.body).fontFamily;
    worker.postMessage({ id: 1, diagram, folds: NO_FOLDS, font } satisfies DrawingRequest);
  });
}
