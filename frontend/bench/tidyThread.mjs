// A thread with the layout engine, as a worker of the page: requests and answers are messages.
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

// biome-ignore lint/security/noGlobalEval: the engine is a script that sets a global.
globalThis.eval(readFileSync(workerData, 'utf8'));
parentPort.on('message', async (request) => {
  parentPort.postMessage(JSON.parse(await globalThis.draftsmithLayout.run(JSON.stringify(request))));
});
