/** The engine as a worker of the page: requests and answers are messages, texts are measured in the page's font. */
import type { MeasureText } from '../model/drawing/labels';
import { answerTo, type EngineRequest } from './requests';

/** As `.edge-label` in `styles/canvas.css`: see `view/drawing/measureText.ts`. */
const LETTERS = '550 11.5px';

export interface WorkerRequest {
  request: EngineRequest;
  /** The font family of the page. */
  font: string;
}

export type WorkerAnswer = { answer: unknown; failed?: undefined } | { failed: string };

interface Scope {
  onmessage: ((event: { data: WorkerRequest }) => void) | null;
  postMessage(answer: WorkerAnswer): void;
}

export function listenInWorker(): void {
  if (typeof (globalThis as { importScripts?: unknown }).importScripts !== 'function') return;
  const scope = globalThis as unknown as Scope;
  scope.onmessage = ({ data: { request, font } }) => {
    answerTo(request, measurerFor(font)).then(
      (answer) => scope.postMessage({ answer }),
      (error) => scope.postMessage({ failed: error instanceof Error ? error.message : String(error) }),
    );
  };
}

let measurer: { font: string; measure: MeasureText } | null = null;

/** Undefined where a worker cannot draw: widths are then estimated. */
function measurerFor(font: string): MeasureText | undefined {
  if (typeof OffscreenCanvas === 'undefined') return undefined;
  if (measurer?.font === font) return measurer.measure;
  const pen = new OffscreenCanvas(1, 1).getContext('2d');
  if (!pen) return undefined;
  pen.font = `${LETTERS} ${font}`;
  const known = new Map<string, number>();
  const measure: MeasureText = (text) => {
    const width = known.get(text) ?? pen.measureText(text).width;
    known.set(text, width);
    return width;
  };
  measurer = { font, measure };
  return measure;
}
