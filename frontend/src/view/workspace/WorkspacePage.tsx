/** The page of a workspace: bar, palette, document and diagram, side panel, and dialogs. */
import '../styles/workspace.css';
import { Download, Share2 } from 'lucide-react';
import { useEffect } from 'react';
import { linkedNode, NODE_LINK } from '../../model/text/nodeLink';
import { CanvasPane } from '../canvas/CanvasPane';
import { written } from '../commands/keys';
import { EditorProvider, useEditorContext, useLive, useUiState } from '../context/EditorContext';
import { IS_EMBEDDED } from '../context/embedded';
import { useCanChange } from '../context/useCanChange';
import { useVisibleMode } from '../context/useVisibleMode';
import { readHalf } from '../document/laterParts';
import { UndoButtons } from '../history/UndoButtons';
import { Palette } from '../palette/Palette';
import { PatternHost } from '../patterns/PatternHost';
import { Banners } from '../people/Banners';
import { People } from '../people/People';
import { SaveStatus } from '../people/SaveStatus';
import { AppBar } from '../shell/AppBar';
import { NotFoundPage } from '../shell/NotFoundPage';
import { IconButton } from '../ui/IconButton';
import { later, laterInBackground, untilLoaded } from '../ui/loading/later';
import { useIsPhone } from '../ui/useMedia';
import { useTitle } from '../ui/useTitle';
import { CommandPalette } from './CommandPalette';
import { PanelSwitch, SidePanel } from './PanelSwitch';
import { Panes } from './Panes';
import { ShortcutSheet } from './ShortcutSheet';
import { DiagramSkeleton, DocumentSkeleton } from './skeletons';
import { usePreload } from './usePreload';
import { ViewSwitch } from './ViewSwitch';
import { WorkspaceBoundary } from './WorkspaceBoundary';
import { WorkspaceCommands } from './WorkspaceCommands';
import { WorkspaceTitle } from './WorkspaceTitle';

// Loaded on demand: not needed for the first view of a diagram.
const DocumentPane = laterInBackground(
  async () => (await import('../document/DocumentPane')).DocumentPane,
  <DocumentSkeleton />,
);
const Background = laterInBackground(async () => (await import('./Background')).Background);
const FollowBar = laterInBackground(async () => (await import('../people/FollowBar')).FollowBar);
const LookingBar = laterInBackground(async () => (await import('../history/RevisionBar')).RevisionBar);
const AssistantHost = laterInBackground(
  async () => (await import('../assistant/AssistantHost')).AssistantHost,
);
const ConnectModelDialog = later(
  async () => (await import('../assistant/ConnectModelDialog')).ConnectModelDialog,
);
const ConnectDialog = later(async () => (await import('../gestures/ConnectDialog')).ConnectDialog);
const DeleteDialog = later(async () => (await import('../gestures/DeleteDialog')).DeleteDialog);
const SuggestHost = laterInBackground(async () => (await import('../suggest/SuggestHost')).SuggestHost);
const ShareHost = laterInBackground(async () => (await import('../access/ShareHost')).ShareHost);
const SignedOutPage = later(async () => (await import('../access/SignedOutPage')).SignedOutPage);
const ExportHost = laterInBackground(async () => (await import('../export/ExportHost')).ExportHost);
const ExportDialog = later(async () => (await import('../export/ExportDialog')).ExportDialog);
const TrayDialog = later(async () => (await import('../people/TrayDialog')).TrayDialog);
const CheckpointDialog = later(async () => (await import('../history/HistoryDialogs')).CheckpointDialog);
const WorkspaceSettings = later(
  async () => (await import('../settings/WorkspaceSettings')).WorkspaceSettings,
);
const TourHost = laterInBackground(async () => (await import('../tour/TourHost')).TourHost);
const GonePage = later(async () => (await import('./GonePage')).GonePage);
const RestoreDialog = later(async () => (await import('../history/HistoryDialogs')).RestoreDialog);

export function WorkspacePage({ id }: { id: string }) {
  return (
    <EditorProvider id={id}>
      <WorkspaceBoundary>
        <WorkspaceThere />
      </WorkspaceBoundary>
    </EditorProvider>
  );
}

/** The workspace, unless the server has reported that it does not exist. */
function WorkspaceThere() {
  const code = useLive((live) => live.bye?.code);
  if (code === 'workspace_not_found') return <NotFoundPage what="workspace" />;
  if (code === 'workspace_deleted') return <GonePage />;
  if (code === 'unauthorized') return <SignedOutPage />;
  return <OpenWorkspace />;
}

function OpenWorkspace() {
  const name = useLive((live) => live.name);
  const isKnown = useLive((live) => live.isKnown);
  const isViewingOld = useUiState(({ viewed }) => viewed !== null);
  const isFollowing = useUiState(({ following }) => following !== null);
  const hasPanel = useUiState(({ panel }) => panel !== null) && !IS_EMBEDDED;
  const mode = useVisibleMode();
  const { access } = useEditorContext();
  useTitle(isKnown ? name : 'Opening');
  useSelectionInAddress();
  useHeadingInAddress();
  const read = usePreload(isKnown, mode !== 'diagram');
  // With the pane, which would ask for it only once it is there itself.
  readHalf.usePart(isKnown && (mode === 'document' || (mode === 'split' && !access.isTextWritable)));
  return (
    <div className="page workspace" data-read={read} data-mode={mode} data-panel={hasPanel || undefined}>
      <nav className="skip-links" aria-label="Skip to">
        {mode !== 'document' && <a href="#diagram">Diagram</a>}
        {mode !== 'diagram' && <a href="#document">Document</a>}
      </nav>
      {IS_EMBEDDED ? <OpenOutside /> : <WorkspaceBar />}
      <Banners />
      {isViewingOld && <LookingBar />}
      <div className="workspace-body">
        {access.isWritable && mode !== 'document' && <Palette />}
        {isKnown ? (
          <Panes mode={mode} document={<DocumentPane />} diagram={<CanvasPane />} />
        ) : (
          <Panes mode={mode} document={<DocumentSkeleton />} diagram={<DiagramSkeleton />} />
        )}
        {hasPanel && <SidePanel />}
        {isFollowing && <FollowBar />}
      </div>
      <Background />
      <WorkspaceCommands />
      {!IS_EMBEDDED && <PatternHost />}
      {read !== 'first' && !IS_EMBEDDED && (
        <>
          <AssistantHost />
          <ShareHost />
          <SuggestHost />
          <ExportHost />
          <TourHost />
        </>
      )}
      <Dialogs />
    </div>
  );
}

/** The way from a frame of another page to the workspace itself. */
function OpenOutside() {
  return (
    <a className="button small open-outside" href={window.location.pathname} target="_blank" rel="noreferrer">
      Open in Draftsmith
    </a>
  );
}

function WorkspaceBar() {
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

function Dialogs() {
  const dialog = useUiState((state) => state.dialog);
  const { ui } = useEditorContext();
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
    case 'settings':
      return <WorkspaceSettings onClose={close} />;
    case 'export':
      return <ExportDialog onClose={close} />;
    case 'connect-model':
      return <ConnectModelDialog onClose={close} />;
    case 'checkpoint':
      return <CheckpointDialog onClose={close} />;
    case 'restore':
      return <RestoreDialog revision={dialog.revision} onClose={close} />;
    default:
      return null;
  }
}

/** Puts a single selected node into the address as `#node/<id>`, as a link to share. */
function useSelectionInAddress(): void {
  const { ui } = useEditorContext();
  const only = useUiState(({ selection }) =>
    selection.nodes.size === 1 && selection.edges.size === 0 ? [...selection.nodes][0] : undefined,
  );
  useEffect(() => {
    const { pathname, search, hash } = window.location;
    if (!only && linkedNode(hash) === null) return; // The address of a heading stays.
    const address = only ? `${NODE_LINK}${encodeURIComponent(only)}` : pathname + search;
    window.history.replaceState(window.history.state, '', address);
  }, [only]);
  useEffect(() => {
    const listen = () => {
      const id = linkedNode(window.location.hash);
      if (id !== null) ui.show([id]);
    };
    window.addEventListener('hashchange', listen);
    return () => window.removeEventListener('hashchange', listen);
  }, [ui]);
}

/** Goes to the heading in the address, `/w/<id>#rollout-plan`: once the document is here, and when it changes. */
function useHeadingInAddress(): void {
  const { client, ui } = useEditorContext();
  const isKnown = useLive((live) => live.isKnown);
  const isPhone = useIsPhone();
  useEffect(() => {
    if (!isKnown) return;
    const go = async () => {
      const { hash } = window.location;
      if (hash === '' || linkedNode(hash) !== null) return;
      const { placeOfAddress } = await untilLoaded(() => import('../../model/text/outline'));
      const place = placeOfAddress(client.view.text, hash);
      if (!place || hash !== window.location.hash) return;
      // For this visit alone: whoever follows a link has not chosen how to look at workspaces.
      const { mode } = ui.get();
      if (mode === 'diagram' || (isPhone && mode === 'split'))
        ui.set({ mode: isPhone ? 'document' : 'split' });
      ui.showText(place.from, place.to);
    };
    const changed = () => void go();
    changed();
    window.addEventListener('hashchange', changed);
    return () => window.removeEventListener('hashchange', changed);
  }, [isKnown, isPhone, client, ui]);
}
