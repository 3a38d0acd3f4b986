/** What is said when images are brought in, into a document or to a node. */
import { useMemo } from 'react';
import type { LocalImage } from '../../sync/images/uploads';
import { useEditorContext } from '../context/EditorContext';
import { useToasts } from '../ui/overlay/Toasts';

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
