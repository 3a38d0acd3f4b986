/**
 * What every workspace does for images: uploads what earlier pages have left, tries again when there is a connection, and
 * keeps the page where a file is dropped beside the text, which browsers would open in its place. Draws nothing.
 */
import { useEffect } from 'react';
import { useEditorContext, useLive } from '../context/EditorContext';
import { carriesFiles } from './takenFiles';
import { uploadsOf } from './workspaceImages';

export function ImagesHost() {
  const { id } = useEditorContext();
  const isLive = useLive((live) => live.status.connection === 'live');
  useEffect(() => {
    if (isLive) uploadsOf(id).retry();
  }, [id, isLive]);
  useEffect(() => {
    const refuse = (event: DragEvent) => {
      if (event.defaultPrevented || !carriesFiles(event.dataTransfer)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'none';
    };
    window.addEventListener('dragover', refuse);
    window.addEventListener('drop', refuse);
    return () => {
      window.removeEventListener('dragover', refuse);
      window.removeEventListener('drop', refuse);
    };
  }, []);
  return null;
}
