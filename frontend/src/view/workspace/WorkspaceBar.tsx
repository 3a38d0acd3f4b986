/** The bar of a workspace: its name, undo, the switches of views and of side panels, and who is here. */
import { Download, PencilLine, Share2 } from 'lucide-react';
import { useState } from 'react';
import { VIEW_MODES, type ViewMode } from '../../sync/preferences';
import { written } from '../commands/keys';
import { useEditorContext, useLive, useUiState } from '../context/EditorContext';
import { useCanChange } from '../context/useCanChange';
import { useVisibleMode } from '../context/useVisibleMode';
import { UndoButtons } from '../history/UndoButtons';
import { People } from '../people/People';
import { SaveStatus } from '../people/SaveStatus';
import { AppBar } from '../shell/AppBar';
import { EditableName } from '../ui/field/EditableName';
import { IconButton } from '../ui/IconButton';
import { useIsPhone } from '../ui/useMedia';
import { PANELS } from './panels';

export function WorkspaceBar() {
  const { access, ui } = useEditorContext();
  const canChange = useCanChange();
  const role = useLive((live) => live.role);
  return (
    <AppBar
      start={
        <>
          <div className="workspace-title">
            <WorkspaceTitle />
            <SaveStatus />
          </div>
          {canChange ? (
            <UndoButtons isOff={!access.isWritable} />
          ) : (
            <>
              {access.isDraft && <UndoButtons isOff={false} />}
              <span className="pill" title={access.reason}>
                {role === 'commenter' ? 'Can comment' : 'View only'}
              </span>
            </>
          )}
        </>
      }
      middle={<ViewSwitch />}
      end={
        <>
          <IconButton
            icon={Share2}
            label="Share"
            className="not-on-phones"
            aria-haspopup="dialog"
            onClick={() => ui.set({ dialog: { kind: 'share' } })}
          />
          <IconButton
            icon={Download}
            label="Export"
            className="not-on-phones"
            keys={written('Mod+Shift+S')}
            aria-haspopup="dialog"
            onClick={() => ui.set({ dialog: { kind: 'export' } })}
          />
          <PanelSwitch />
        </>
      }
      people={<People />}
    />
  );
}

/** The name of the workspace, editable for who may write. */
function WorkspaceTitle() {
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

const VIEW_NAMES: Record<ViewMode, string> = { diagram: 'Diagram', split: 'Split', document: 'Document' };

/** The switch between diagram, split and document. */
function ViewSwitch() {
  const { ui } = useEditorContext();
  const isPhone = useIsPhone();
  const mode = useVisibleMode();
  const modes = isPhone ? VIEW_MODES.filter((one) => one !== 'split') : VIEW_MODES;
  return (
    <div className="segments" role="group" aria-label="View">
      {modes.map((one) => (
        <button key={one} type="button" aria-pressed={one === mode} onClick={() => ui.setMode(one)}>
          {VIEW_NAMES[one]}
        </button>
      ))}
    </div>
  );
}

/** The buttons of the side panels. */
function PanelSwitch() {
  const { ui } = useEditorContext();
  const open = useUiState((state) => state.panel);
  return (
    <div className="panel-switch" role="group" aria-label="Side panel">
      {PANELS.map(({ name, title, icon }) => (
        <IconButton
          key={name}
          icon={icon}
          label={title}
          aria-pressed={open === name}
          onClick={() => ui.togglePanel(name)}
        />
      ))}
    </div>
  );
}
