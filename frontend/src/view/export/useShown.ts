/** The state that is exported or printed: what is shown, of a comparison the newest. */
import { useEditorContext, useLive, useUiState } from '../context/EditorContext';
import { useWorkspaceView } from '../context/useWorkspaceView';
import type { Source } from './choices';

export function useShown(): Source {
  const { diagram, text, marks, isNewest } = useWorkspaceView();
  const { id: workspace } = useEditorContext();
  const viewed = useUiState((ui) => ui.viewed?.revision);
  const name = useLive((live) => live.name);
  const newest = useLive((live) => live.revision);
  const newestDiagram = useLive((live) => live.diagram);
  const newestText = useLive((live) => live.text);
  const hasPending = useLive((live) => live.status.pending > 0);
  const isOld = !isNewest && marks === null;
  return {
    workspace,
    name,
    diagram: isOld ? diagram : newestDiagram,
    text: isOld ? text : newestText,
    revision: isOld ? (viewed ?? newest) : newest,
    isUnsaved: !isOld && hasPending,
    isNewest: !isOld,
  };
}
