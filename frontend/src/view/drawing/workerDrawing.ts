/** Has drawings made with care elsewhere, so that the page goes on meanwhile. The newest request is the only one. */
import type { Drawing } from '../../model/drawing/drawing';
import type { Folded } from '../../model/drawing/folding';
import type { DrawingAnswer, DrawingRequest } from './workerMessages';

/** Somebody who drags things about would ask for one drawing after the other. */
const QUIET_MS = 120;

let worker: Worker | null = null;
let isBusy = false;
let ids = 0;

/** Ask for a drawing; the answer takes the request back. */
export function drawInWorker({ diagram, folds }: Folded, onDrawn: (drawing: Drawing) => void): () => void {
  ids += 1;
  const id = ids;
  let listener: ((event: MessageEvent<DrawingAnswer>) => void) | null = null;
  const timer = setTimeout(() => {
    // What is still being drawn for an earlier request nobody wants any more.
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
    worker.postMessage({ id, diagram, folds, font } satisfies DrawingRequest);
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

/** What comes back holds copies of nodes and edges; the page compares by identity. */
function withOwn(drawing: Drawing, diagram: Folded['diagram']): Drawing {
  const nodes = new Map(diagram.nodes.map((node) => [node.id, node]));
  const edges = new Map(diagram.edges.map((edge) => [edge.id, edge]));
  return {
    ...drawing,
    nodes: drawing.nodes.map((drawn) => ({ ...drawn, node: nodes.get(drawn.node.id) ?? drawn.node })),
    edges: drawing.edges.map((drawn) => ({ ...drawn, edge: edges.get(drawn.edge.id) ?? drawn.edge })),
  };
}
