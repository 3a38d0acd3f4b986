/**
 * The page of a workspace: palette, document and diagram, side panel and dialogs; which of its parts are loaded when; and what of it
 * the address names. Not here: the bar (`WorkspaceBar.tsx`).
 */
import '../styles/workspace.css';
import { type ReactNode, useEffect, useState } from 'react';
import { linkedNode, NODE_LINK } from '../../model/text/nodeLink';
import type { ViewMode } from '../../sync/preferences';
import { statusWords } from '../../sync/words/status';
import { CanvasPane } from '../canvas/CanvasPane';
import { loadTransitions } from '../canvas/lateTransitions';
import { EditorProvider, useEditorContext, useLive, useUiState } from '../context/EditorContext';
import { IS_EMBEDDED } from '../context/embedded';
import { useVisibleMode } from '../context/useVisibleMode';
import { outlineHeadings, readHalf } from '../document/laterParts';
import { arranging } from '../gestures/arrangingPart';
import { typesByName } from '../gestures/sendMade';
import { Palette } from '../palette/Palette';
import { PatternHost } from '../patterns/PatternHost';
import { Banners } from '../people/Banners';
import { NotFoundPage } from '../shell/NotFoundPage';
import { FailureActions } from '../ui/failure/FailureActions';
import { FailureBoundary } from '../ui/failure/FailureBoundary';
import { type Failure, isPartMissing, MISSING } from '../ui/failure/failure';
import { later, laterInBackground, untilLoaded } from '../ui/loading/later';
import { typedAhead } from '../ui/loading/TypedAhead';
import { whenIdle } from '../ui/loading/whenIdle';
import { useIsPhone } from '../ui/useMedia';
import { useTitle } from '../ui/useTitle';
import { WorkspaceBar } from './WorkspaceBar';
import { WorkspaceCommands } from './WorkspaceCommands';

// Loaded on demand: not needed for the first view of a diagram.
const DocumentPane = laterInBackground(
  async () => (await import('../document/DocumentPane')).DocumentPane,
  <DocumentSkeleton />,
);
/** The movable border is loaded only where there is one. */
const Split = laterInBackground(async () => (await import('./Split')).Split);

// Also drawn without being asked: a panel stays open from one visit to the next.
const SidePanel = laterInBackground(
  async () => (await import('./SidePanel')).SidePanel,
  <aside className="side-panel" aria-label="Side panel" />,
);
const Background = laterInBackground(async () => (await import('./Background')).Background);
const FollowBar = laterInBackground(async () => (await import('../people/FollowBar')).FollowBar);
const RevisionBar = laterInBackground(async () => (await import('../history/RevisionBar')).RevisionBar);
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
const CommandPalette = typedAhead(
  'Search commands',
  async () => (await import('./WorkspaceFinder')).WorkspaceFinder,
);
const KeysDialog = later(async () => (await import('../commands/KeysDialog')).KeysDialog);
const TrayDialog = later(async () => (await import('../people/TrayDialog')).TrayDialog);
const CheckpointDialog = later(async () => (await import('../history/HistoryDialogs')).CheckpointDialog);
const WorkspaceSettings = later(
  async () => (await import('../settings/WorkspaceSettings')).WorkspaceSettings,
);
const TourHost = laterInBackground(async () => (await import('../tour/TourHost')).TourHost);
const GonePage = later(async () => (await import('./GonePage')).GonePage);
const RestoreDialog = later(async () => (await import('../history/HistoryDialogs')).RestoreDialog);

/** What a document that is in sight waits for: nothing else is to take its room on the line. */
const DOCUMENT: readonly (() => Promise<unknown>)[] = [
  () => import('../document/DocumentPane'),
  () => import('../document/editor/open'),
];
/** What is preloaded, in order of need, one after the other. */
const PARTS: typeof DOCUMENT = [
  () => import('../ui/overlay/overlayParts'),
  loadTransitions,
  ...DOCUMENT,
  readHalf.load,
  outlineHeadings.load,
  () => import('./Split'),
  () => import('./SidePanel'),
  () => import('../assistant/AssistantHost'),
  () => import('../canvas/ghosts/GhostLayer'),
  () => import('../document/ghosts/DocumentGhosts'),
  () => import('../assistant/ConnectModelDialog'),
  () => import('../people/TrayDialog'),
  () => import('../people/PeopleList'),
  () => import('../people/FollowBar'),
  () => import('../history/RevisionBar'),
  () => import('../history/TextComparison'),
  () => import('../people/NameQuestion'),
  () => import('../shell/ProfileDialog'),
  () => import('../settings/WorkspaceSettings'),
  () => import('../tour/TourHost'),
  () => import('../gestures/ContextMenu'),
  () => import('../gestures/menuHere'),
  () => import('../gestures/TypePicker'),
  () => import('../palette/FoundTypes'),
  arranging.load,
  typesByName.load,
  () => import('../gestures/DeleteDialog'),
  () => import('../gestures/pasting'),
  () => import('../canvas/FrameTitles'),
  () => import('../people/Others'),
  () => import('../gestures/ConnectDialog'),
  () => import('../history/HistoryDialogs'),
  () => import('../history/UndoAllDialog'),
  () => import('../export/ExportHost'),
  () => import('../access/ShareHost'),
  () => import('../suggest/SuggestHost'),
  () => import('../export/ExportDialog'),
  () => import('./WorkspaceFinder'),
  () => import('./GonePage'),
  () => import('../commands/KeysDialog'),
];
/** What is preloaded also where data is saved: it must be there without being opened. */
const NEEDED: typeof DOCUMENT = [
  () => import('../assistant/AssistantHost'),
  () => import('../tour/TourHost'),
  () => import('../export/ExportHost'),
  () => import('../access/ShareHost'),
  () => import('../suggest/SuggestHost'),
];
/** So long after a part could not be loaded it is tried again. */
const AGAIN_MS = 5000;

export function WorkspacePage({ id }: { id: string }) {
  return (
    <EditorProvider id={id}>
      <WorkspaceBoundary>
        <ReachableWorkspace />
      </WorkspaceBoundary>
    </EditorProvider>
  );
}

/** The error boundary of a workspace: the connection stays open, so that pending changes still reach the server. */
function WorkspaceBoundary({ children }: { children: ReactNode }) {
  return (
    <FailureBoundary instead={(again, failure) => <WorkspaceFailure onRetry={again} failure={failure} />}>
      {children}
    </FailureBoundary>
  );
}

function WorkspaceFailure({ onRetry, failure }: { onRetry: () => void; failure: Failure }) {
  const status = useLive((live) => live.status);
  const revision = useLive((live) => live.revision);
  const isKnown = useLive((live) => live.isKnown);
  const { short, detail } = statusWords({ status, revision, isKnown });
  const isMissing = isPartMissing(failure);
  return (
    <main className="page-centre page">
      <div className="notice alert" role="alert">
        <h1>{isMissing ? MISSING.title : 'Something broke while drawing this workspace'}</h1>
        <p>
          {isMissing ? `${MISSING.advice} ` : ''}Your work is not touched by that. {short.split(' · ')[0]}:{' '}
          {detail}
        </p>
        <FailureActions failure={failure}>
          <button type="button" className="button" onClick={onRetry}>
            Show it again
          </button>
        </FailureActions>
      </div>
    </main>
  );
}

/** The workspace, or why the server closes the connection for good. */
function ReachableWorkspace() {
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
      {IS_EMBEDDED ? <OpenInDraftsmith /> : <WorkspaceBar />}
      <Banners />
      {isViewingOld && <RevisionBar />}
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

/** The link from a frame in another page to the workspace itself. */
function OpenInDraftsmith() {
  return (
    <a className="button small open-outside" href={window.location.pathname} target="_blank" rel="noreferrer">
      Open in Draftsmith
    </a>
  );
}

interface PanesProps {
  mode: ViewMode;
  document: ReactNode;
  diagram: ReactNode;
}

/** Document and diagram: one of them, or both with a movable border. */
function Panes({ mode, document, diagram }: PanesProps) {
  return (
    <main className={`panes ${mode}`}>
      {mode === 'split' ? (
        <Split document={document} diagram={diagram} />
      ) : mode === 'document' ? (
        document
      ) : (
        diagram
      )}
    </main>
  );
}

/** In per cent. */
const LINE_WIDTHS = [52, 100, 94, 98, 60, 38, 96, 100, 72];

/** What is in place of the document until the state is loaded. */
function DocumentSkeleton() {
  return (
    <section className="document-pane" id="document" aria-label="Document" aria-busy="true" tabIndex={-1}>
      <div className="document-loading" aria-hidden="true">
        {LINE_WIDTHS.map((width, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they never change
          <span key={index} className="skeleton line" style={{ width: `${width}%` }} />
        ))}
      </div>
    </section>
  );
}

/** What is in place of the diagram until the state is loaded. */
function DiagramSkeleton() {
  return (
    <section
      className="diagram-pane dotted"
      id="diagram"
      aria-label="Diagram"
      aria-busy="true"
      tabIndex={-1}
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

/** The shortcuts of this workspace, with those of the canvas. */
function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const { commands } = useEditorContext();
  return <KeysDialog commands={commands.withKeys()} hasCanvas onClose={onClose} />;
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

/**
 * Preloads the parts of the page that are loaded on demand, when the browser is idle: they must open also while the server is
 * down, or was replaced by a newer version. A browser that saves data loads most of them when they are opened. Starts once the
 * first view is rendered. Returns what is loaded.
 */
function usePreload(isBegun: boolean, isDocumentShown: boolean): 'first' | 'needed' | 'all' {
  const [count, setCount] = useState(0);
  const [isSaving] = useState(isSavingData);
  // What is there already takes no time to be read again.
  const [parts] = useState(() => (isSaving ? NEEDED : isDocumentShown ? [...DOCUMENT, ...PARTS] : PARTS));
  useEffect(() => {
    const read = parts[count];
    if (!isBegun || !read) return;
    let isHere = true;
    const next = () => isHere && setCount(count + 1);
    let timer: ReturnType<typeof setTimeout>;
    // The server may be down just now.
    const go = () =>
      read().then(next, () => {
        timer = setTimeout(go, AGAIN_MS);
      });
    const cancel = whenIdle(go);
    return () => {
      isHere = false;
      cancel();
      clearTimeout(timer);
    };
  }, [isBegun, count, parts]);
  if (count < parts.length) return 'first';
  return isSaving ? 'needed' : 'all';
}

/** Not known in every browser. */
function isSavingData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
}
