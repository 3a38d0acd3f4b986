/**
 * The layout engine: one script that lays out and judges diagrams, for the page's workers and for the server.
 *
 * It sets `globalThis.draftsmithLayout`, and in a worker answers messages. It needs no DOM, no workers and no timers.
 * Not here: what it is asked (`requests.ts`), the layout (`model/layout`), the library (`library.ts`).
 */
import './globals';
import { answerTo } from './requests';
import { listenInWorker } from './worker';

/** Answers a request; both are JSON. Rejects with what went wrong in words. */
async function run(request: string): Promise<string> {
  return JSON.stringify(await answerTo(JSON.parse(request)));
}

(globalThis as unknown as { draftsmithLayout: { run: typeof run } }).draftsmithLayout = { run };
listenInWorker();
