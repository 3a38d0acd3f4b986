/** Sets and removes the image of a node, each as one operation. Not here: how files are brought (`takenFiles.ts`). */
import { useMemo } from 'react';
import { lockRefusal } from '../../model/gestures/locks';
import { Scene } from '../../model/gestures/scene';
import { imageAddress } from '../../model/text/images';
import { type EditorContext, useEditorContext } from '../context/EditorContext';
import { type Toasts, useToasts } from '../ui/overlay/Toasts';
import { keptImages } from './keptImages';
import { type ImageNotices, sayRefusal, useImageNotices } from './useImageNotices';
import { uploadsOf } from './workspaceImages';

export interface NodeImages {
  /** Sets an image from the one file that is brought. Returns whether it is set; else it is said why not. */
  set: (node: string, files: readonly File[]) => Promise<boolean>;
  remove: (node: string) => void;
}

export function useNodeImages(): NodeImages {
  const context = useEditorContext();
  const toasts = useToasts();
  const notices = useImageNotices();
  return useMemo(
    () => ({
      set: (node, files) => setImage(context, toasts, notices, node, files),
      remove: (node) => void context.edit([{ op: 'update_node', id: node, image: null }]),
    }),
    [context, toasts, notices],
  );
}

const NOT_SET = 'The image was not set';

async function setImage(
  { id, client, edit, live }: EditorContext,
  toasts: Toasts,
  { sayKept, sayProblems }: ImageNotices,
  node: string,
  files: readonly File[],
): Promise<boolean> {
  const refuse = (...problems: string[]) => {
    sayProblems(NOT_SET, problems);
    return false;
  };
  if (files.length !== 1) return refuse('A node shows one image: bring one file.');
  const refusal = lockRefusal(new Scene(live.state.getState().diagram), [node], NOT_SET);
  if (refusal) {
    sayProblems(refusal.refusal, [refusal.advice]);
    return false;
  }
  const uploads = uploadsOf(id);
  const { images, problems } = await keptImages(files, uploads);
  const [image] = images;
  if (!image) return refuse(...problems);
  const known = client.view.nodes.get(node);
  if (!known) return refuse('The node was deleted meanwhile.');
  const address = imageAddress(image.sha256, image.type);
  if (known.image !== address) void edit([{ op: 'update_node', id: node, image: address }]);
  sayKept([image]);
  sayRefusal(uploads, image, toasts);
  return true;
}
