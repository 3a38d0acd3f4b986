/** What is said of an own image beside it, while it is on its way or where it is not there. */
import type { LocalImage } from '../../sync/images/uploads';

/** Empty where nothing is to be said. */
export function wordsForImage(local: LocalImage | null, isMissing: boolean): string {
  switch (local?.state) {
    case 'sending':
      return 'Uploading…';
    case 'waiting':
      return 'Not uploaded yet.';
    case 'refused':
      return `Not uploaded: ${local.reason} `;
    default:
      return isMissing ? 'This image is not on the server, or not yet.' : '';
  }
}
