/** The parts of the document pane that need the Markdown renderer, which is loaded after the editor. */
import { laterPart } from '../ui/loading/later';
import { loadOverlays } from '../ui/overlay/overlays';

export const readHalf = laterPart(async () => (await import('./ReadHalf')).ReadHalf);
/** With what its popover is made of, so that it opens as soon as this is there. */
export const outlineHeadings = laterPart(async () => {
  const [{ OutlineHeadings }] = await Promise.all([import('./OutlineHeadings'), loadOverlays()]);
  return OutlineHeadings;
});
