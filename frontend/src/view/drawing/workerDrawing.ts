/** Makes drawings with full routing in a worker. Only the newest request is answered. */
import type { Drawing } from '../../model/drawing/drawing';
import type { Folded } from '../../model/drawing/folding';
import type { DrawingAnswer, DrawingRequest } from './workerMessages';

/** Debounce: during a drag there would be one request after the other. */
const QUIET_MS = 120;

let worker: Worker | null = null;
let isBusy = false;
let ids = 0;

/**
 * Requests a drawing. Returns a function that cancels the request.
 *
 * @param kept lines that stay (`routeEdges`), as they are when the request is sent
 */
export function drawInWorker(
  { diagram, folds }: Folded,
  kept: DrawingRequest['kept'],
  onDrawn: (drawing: Drawing) => void,
): () => void {
  ids += 1;
  const id = ids;
  let listener: ((event: MessageEvent<DrawingAnswer>) => void) | null = null;
  const timer = setTimeout(() => {
    // An earlier request is obsolete.
    if (isBusy) stop();
    worker ??= new Worker(new URL('./drawingWorker.ts', import.meta.url), { type: 'module' });
    isBusy = true;
    listener = ({ data }) => {
      if (data.id !== id) return;
      isBusy = false;
      onDrawn(withOwn(data.drawing, diagram));
    };
    worker.addEventListener('message', listener);
    const font = getComputedStyle(document.body).fontFamily;
    worker.postMessage({ id, diagram, folds, font, kept } satisfies DrawingRequest);
  }, QUIET_MS);
  return () => {
    clearTimeout(timer);
    if (listener) worker?.removeEventListener('message', listener);
  };
}

function stop(): void {
  worker?.terminate();
  worker = null;
  isBusy = false;
}

/**
 * The answer contains copies of nodes and edges; replaces them by the originals, since the page compares by identity.
 */
function withOwn(drawing: Drawing, diagram: Folded['diagram']): Drawing {
  const nodes = new Map(diagram.nodes.map((node) => [node.id, node]));
  const edges = new Map(diagram.edges.map((edge) => [edge.id, edge]));
  return {
    ...drawing,
    nodes: drawing.nodes.map((drawn) => ({ ...drawn, node: nodes.get(drawn.node.id) ?? drawn.node })),
    edges: drawing.edges.map((drawn) => ({ ...drawn, edge: edges.get(drawn.edge.id) ?? drawn.edge })),
  };
}
