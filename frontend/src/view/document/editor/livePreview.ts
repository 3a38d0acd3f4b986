/**
 * Live preview of the editor, loaded where it is chosen. The editor is there by then: the build puts what both need into one
 * file for that reason.
 */
import type { Extension } from '@codemirror/state';
import type { WritingLook } from '../../../sync/preferences';
import { loader } from '../../ui/loading/later';

export const livePreview = loader(async () => (await import('./live/preview')).livePreview);

/** What shows the text so; null for the plain source, also where live preview is not loaded. */
export const previewFor = (look: WritingLook): Extension | null =>
  look === 'live' ? (livePreview.known?.() ?? null) : null;
