/**
 * What draws pictures and lays out pages on the server: one script that needs no DOM. It sets `globalThis.draftsmithPicture`.
 * The page's export draws with the same code (`model/export`).
 */
import { type PaperRequest, paperFor } from '../model/export/paper';
import { type PictureRequest, pictureFor } from '../model/export/picture';

/** Both are JSON: of a request for a picture, and of one for the page of a PDF, whose answer is `{html}`. */
type Question = (PictureRequest & { form?: 'svg' | 'png' }) | (PaperRequest & { form: 'pdf' });

/** Throws where the request makes no sense. */
const run = (request: string): string => {
  const question = JSON.parse(request) as Question;
  return JSON.stringify(question.form === 'pdf' ? { html: paperFor(question) } : pictureFor(question));
};

(globalThis as unknown as { draftsmithPicture: { run: typeof run } }).draftsmithPicture = { run };
