/**
 * What draws pictures on the server: one script that needs no DOM. It sets `globalThis.draftsmithPicture`. The page's
 * export draws with the same code (`model/export`).
 */
import { type PictureRequest, pictureFor } from '../model/export/picture';

/** Answers a request; both are JSON. Throws where the request makes no sense. */
const run = (request: string): string => JSON.stringify(pictureFor(JSON.parse(request) as PictureRequest));

(globalThis as unknown as { draftsmithPicture: { run: typeof run } }).draftsmithPicture = { run };
