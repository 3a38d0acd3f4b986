/** The look of the text: plain source, or live preview, which is loaded later (`live/preview.ts`). */
import { Compartment, type Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';

const place = new Compartment();
const SOURCE: Extension = [];

export const looks = (preview: Extension | null): Extension => place.of(preview ?? SOURCE);

/** Changes the look; null is the plain source. Returns whether it was another. */
export function setLook(view: EditorView, preview: Extension | null): boolean {
  const isSource = place.get(view.state) === SOURCE;
  if (isSource === (preview === null)) return false;
  view.dispatch({ effects: place.reconfigure(preview ?? SOURCE) });
  return true;
}
