/** The editable name of the workspace. */
import { PencilLine } from 'lucide-react';
import { useState } from 'react';
import { useEditorContext, useLive } from '../context/EditorContext';
import { EditableName } from '../ui/field/EditableName';

export function WorkspaceTitle() {
  const [isEditing, setIsEditing] = useState(false);
  const { edit, access } = useEditorContext();
  const name = useLive((live) => live.name);
  const isKnown = useLive((live) => live.isKnown);
  if (!isKnown)
    return (
      <h1>
        <span className="visually-hidden">Opening the workspace</span>
        <span className="skeleton line" style={{ width: 160 }} />
      </h1>
    );
  return (
    <EditableName
      name={name}
      what="this workspace"
      isEditing={isEditing}
      onEdit={setIsEditing}
      onRename={(wanted) => void edit([{ op: 'rename_workspace', name: wanted }])}
    >
      <h1>
        {access.isTextWritable ? (
          <button type="button" className="title-button" title="Rename" onClick={() => setIsEditing(true)}>
            <span className="title-text">{name}</span>
            <PencilLine size={13} strokeWidth={2} aria-hidden="true" />
          </button>
        ) : (
          <span className="title-text" title={name}>
            {name}
          </span>
        )}
      </h1>
    </EditableName>
  );
}
