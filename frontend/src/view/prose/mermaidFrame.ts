/**
 * Drawings of Mermaid diagrams, made in a frame of their own (`src/mermaid/frame.ts`) that is opened when the first one
 * is wanted. Every drawing is made once. Not here: where it is shown.
 */

import type { DrawingDone, DrawingWanted } from '../../mermaid/messages';
import { MAX_SOURCE } from '../../model/text/mermaidSource';
import { ROOT_PATH } from '../../protocol/root';

export type Drawing =
  | { address: string; width: number; height: number }
  | { error: string; isTooMuch?: true };

const KEPT = 200;
const TIMEOUT_MS = 20_000;

const drawings = new Map<string, Promise<Drawing>>();
const asked = new Map<number, (done: DrawingDone) => void>();
let frame: Promise<MessagePort> | null = null;
let count = 0;

/** The drawing for a source; never rejects. */
export function drawingOf(source: string, isDark: boolean): Promise<Drawing> {
  if (source.length > MAX_SOURCE)
    return Promise.resolve({
      error: `it has more than ${MAX_SOURCE.toLocaleString('en')} characters`,
      isTooMuch: true,
    });
  const key = `${isDark} ${source}`;
  const known = drawings.get(key);
  if (known) return known;
  const drawing = draw(source, isDark);
  drawings.set(key, drawing);
  if (drawings.size > KEPT) drawings.delete(drawings.keys().next().value as string);
  return drawing;
}

async function draw(source: string, isDark: boolean): Promise<Drawing> {
  frame ??= openFrame();
  const port = await frame;
  count += 1;
  const wanted: DrawingWanted = { id: count, source, isDark };
  const done = await new Promise<DrawingDone>((resolve) => {
    const timer = setTimeout(() => resolve({ id: wanted.id, error: 'drawing it took too long' }), TIMEOUT_MS);
    asked.set(wanted.id, (answer) => {
      clearTimeout(timer);
      resolve(answer);
    });
    port.postMessage(wanted);
  });
  asked.delete(wanted.id);
  if ('error' in done) return { error: done.error };
  const { svg, width, height } = done;
  return { address: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`, width, height };
}

/** Out of sight, but laid out: Mermaid measures its texts. */
function openFrame(): Promise<MessagePort> {
  const element = document.createElement('iframe');
  element.className = 'mermaid-frame';
  element.title = 'Draws Mermaid diagrams';
  element.setAttribute('aria-hidden', 'true');
  element.tabIndex = -1;
  element.inert = true;
  element.src = `${ROOT_PATH}/mermaid`;
  return new Promise((resolve) => {
    element.addEventListener(
      'load',
      () => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }: MessageEvent<DrawingDone>) => asked.get(data.id)?.(data);
        element.contentWindow?.postMessage(null, window.location.origin, [port2]);
        resolve(port1);
      },
      { once: true },
    );
    document.body.append(element);
  });
}
