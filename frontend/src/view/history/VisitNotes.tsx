/** Notes the visits of the workspace while its page is in sight. */
import { useEffect } from 'react';
import { noteVisit } from '../../sync/visits';
import { useEditorContext, useLive } from '../context/EditorContext';

export function VisitNotes() {
  const { id } = useEditorContext();
  const revision = useLive((live) => live.revision);
  useEffect(() => {
    const note = () => noteVisit(id, revision, Date.now());
    if (document.visibilityState === 'visible') note();
    // Also as it goes out of sight: until then it was seen.
    document.addEventListener('visibilitychange', note);
    return () => document.removeEventListener('visibilitychange', note);
  }, [id, revision]);
  return null;
}
