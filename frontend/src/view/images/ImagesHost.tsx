/** Uploads what earlier pages have left of this workspace, and tries again when there is a connection. Draws nothing. */
import { useEffect } from 'react';
import { useEditorContext, useLive } from '../context/EditorContext';
import { uploadsOf } from './workspaceImages';

export function ImagesHost() {
  const { id } = useEditorContext();
  const isLive = useLive((live) => live.status.connection === 'live');
  useEffect(() => {
    if (isLive) uploadsOf(id).retry();
  }, [id, isLive]);
  return null;
}
