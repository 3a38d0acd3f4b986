/** What is said when images are brought in, into a document or to a node. */
import { useMemo } from 'react';
import type { LocalImage, Uploads } from '../../sync/images/uploads';
import { useEditorContext } from '../context/EditorContext';
import { type Toasts, useToasts } from '../ui/overlay/Toasts';

export interface ImageNotices {
  /** Says where the images are meanwhile, if not on the server. */
  sayKept: (images: readonly LocalImage[]) => void;
  /** Says why something was not done. */
  sayProblems: (text: string, problems: readonly string[]) => void;
}

export function useImageNotices(): ImageNotices {
  const { live } = useEditorContext();
  const toasts = useToasts();
  return useMemo(() => {
    const sayKept = (images: readonly LocalImage[]) => {
      if (images.some(({ isKept, state }) => !isKept && state !== 'sent'))
        toasts.show({
          text: 'Keep this page open until the upload is done',
          detail: 'This browser has no storage: the image would be lost with the page.',
          tone: 'bad',
        });
      else if (live.state.getState().status.connection !== 'live')
        toasts.show({
          text:
            images.length > 1 ? 'The images are kept in this browser' : 'The image is kept in this browser',
          detail:
            'It keeps up to 50 MB, also when this page is closed, and uploads them when the server is back.',
        });
    };
    const sayProblems = (text: string, problems: readonly string[]) =>
      void toasts.show({ text, detail: problems.join(' '), tone: 'bad' });
    return { sayKept, sayProblems };
  }, [live, toasts]);
}

/** Says that the server has refused an image, and why, until it has it or the person gives it up. */
export function sayRefusal(uploads: Uploads, image: LocalImage, toasts: Toasts): void {
  let before = image.state;
  const leave = uploads.subscribe(() => {
    const isNew = image.state !== before;
    before = image.state;
    if (image.state === 'sent' || uploads.get(image.sha256) !== image) leave();
    else if (isNew && image.state === 'refused')
      toasts.show({
        text: 'The image was not uploaded',
        detail: `${image.name || 'The image'}: ${image.reason}`,
        tone: 'bad',
        action: { label: 'Try again', run: () => uploads.retry(image.sha256) },
      });
  });
  if (image.state === 'sent') leave();
}
