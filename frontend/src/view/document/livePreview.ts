/** Live preview of the editor, loaded together with it where it is chosen. */
import { loader } from '../ui/loading/later';

export const livePreview = loader(async () => (await import('./editor/live/preview')).livePreview);
