/** One workspace: the bar, palette, document and diagram side by side, the side panel, and the dialogs over them. */
import '../styles/workspace.css';
import { useEffect } from 'react';
import { NODE_LINK } from '../../model/markdown';
import { ApiError } from '../../protocol/http';
import type { Workspace } from '../../protocol/types';
import { CanvasPane } from '../canvas/CanvasPane';
import { CommandPalette } from '../desk/CommandPalette';
import { type Access, DeskProvider, useDesk, useDeskState, useLive } from '../desk/Desk';
import { ShortcutSheet } from '../desk/ShortcutSheet';
import { DocumentPane } from '../document/DocumentPane';
import { ConnectDialog } from '../gestures/ConnectDialog';
import { DeleteDialog } from '../gestures/DeleteDialog';
import { CheckpointDialog, RestoreDialog } from '../history/HistoryDialogs';
import { LookingBar } from '../history/LookingBar';
import { UndoButtons } from '../history/UndoButtons';
import { NotFoundPage } from '../NotFoundPage';
import { Palette } from '../palette/Palette';
import { Banners } from '../people/Banners';
import { People } from '../people/People';
import { SaveStatus } from '../people/SaveStatus';
import { TrayDialog } from '../people/TrayDialog';
import { useWorkspace } from '../queries';
import { AppBar } from '../ui/AppBar';
import { useTitle } from '../ui/useTitle';
import { DeskCommands } from './DeskCommands';
import { Panes } from './Panes';
import { PanelSwitch, SidePanel } from './SidePanel';
import { useIsPhone } from './useIsPhone';
import { ViewSwitch } from './ViewSwitch';
import { WorkspaceTitle } from './WorkspaceTitle';

export function WorkspacePage({ id }: { id: string }) {
  const query = useWorkspace(id);
  const isPhone = useIsPhone();
  if (query.error instanceof ApiError && !query.error.isPassing) return <NotFoundPage what="workspace" />;
  return (
    <DeskProvider id={id} access={accessOf(query.data, isPhone)}>
      <WorkspaceDesk />
    </DeskProvider>
  );
}

/** What may be done here: by role, by the state of the workspace, and by the size of the screen. */
function accessOf(workspace: Workspace | undefined, isPhone: boolean): Access {
  const no = (reason: string): Access => ({ isWritable: false, reason });
  if (workspace?.role === 'viewer') return no('You may look at this workspace, not change it.');
  if (workspace?.frozen) return no(`This workspace takes no changes. ${workspace.frozen}`);
  if (isPhone) return no('On a screen this small Draftsmith only shows.');
  return { isWritable: true, reason: '' };
}

function WorkspaceDesk() {
  const name = useLive((live) => live.name);
  const isKnown = useLive((live) => live.isKnown);
  const isPhone = useIsPhone();
  const mode = useDeskState((state) => (isPhone && state.mode === 'split' ? 'diagram' : state.mode));
  useTitle(isKnown ? name : 'Opening');
  useSelectionInAddress();
  const { access } = useDesk();
  return (
    <div className="page workspace">
      <nav className="skip-links" aria-label="Skip to">
        {mode !== 'document' && <a href="#diagram">Diagram</a>}
        {mode !== 'diagram' && <a href="#document">Document</a>}
      </nav>
      <AppBar
        start={
          <>
            <div className="workspace-title">
              <WorkspaceTitle />
              <SaveStatus />
            </div>
            {access.isWritable ? <UndoButtons /> : <span className="pill">View only</span>}
          </>
        }
        middle={<ViewSwitch />}
        end={
          <>
            <People />
            <PanelSwitch />
          </>
        }
      />
      <Banners />
      <LookingBar />
      <div className="workspace-body">
        {access.isWritable && mode !== 'document' && <Palette />}
        <Panes mode={mode} document={<DocumentPane />} diagram={<CanvasPane />} />
        <SidePanel />
      </div>
      <DeskCommands />
      <DeskDialogs />
    </div>
  );
}

function DeskDialogs() {
  const dialog = useDeskState((state) => state.dialog);
  const { ui } = useDesk();
  const close = () => ui.set({ dialog: null });
  switch (dialog?.kind) {
    case 'commands':
      return <CommandPalette onClose={close} />;
    case 'shortcuts':
      return <ShortcutSheet onClose={close} />;
    case 'tray':
      return <TrayDialog onClose={close} />;
    case 'delete':
      return <DeleteDialog ids={dialog.ids} onClose={close} />;
    case 'connect':
      return <ConnectDialog from={dialog.from} onClose={close} />;
    case 'checkpoint':
      return <CheckpointDialog onClose={close} />;
    case 'restore':
      return <RestoreDialog revision={dialog.revision} onClose={close} />;
    default:
      return null;
  }
}

/** A single selected node stands in the address as `#node/<id>`, so that it can be sent to somebody. */
function useSelectionInAddress(): void {
  const { ui } = useDesk();
  const only = useDeskState(({ selection }) =>
    selection.nodes.size === 1 && selection.edges.size === 0 ? [...selection.nodes][0] : undefined,
  );
  useEffect(() => {
    const { pathname, search } = window.location;
    const address = only ? `${NODE_LINK}${encodeURIComponent(only)}` : pathname + search;
    window.history.replaceState(window.history.state, '', address);
  }, [only]);
  useEffect(() => {
    const listen = () => {
      const id = decodeURIComponent(window.location.hash.slice(NODE_LINK.length));
      if (window.location.hash.startsWith(NODE_LINK) && id) ui.show([id]);
    };
    window.addEventListener('hashchange', listen);
    return () => window.removeEventListener('hashchange', listen);
  }, [ui]);
}
