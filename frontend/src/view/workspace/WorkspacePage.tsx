/** One workspace, read-only: diagram and document side by side, who changed what, and undo and redo. */
import '../styles/workspace.css';
import { History } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { linkedNode, NODE_LINK } from '../../model/markdown';
import { ApiError } from '../../protocol/http';
import type { Workspace } from '../../protocol/types';
import { explain, type Status, statusOf } from '../../sync/condition';
import { recallViewMode, rememberViewMode, type ViewMode } from '../../sync/preferences';
import { Canvas } from '../canvas/Canvas';
import { DocumentPane } from '../document/DocumentPane';
import { NotFoundPage } from '../NotFoundPage';
import { useIsWriting, useWorkspace } from '../queries';
import { AppBar } from '../ui/AppBar';
import { IconButton } from '../ui/IconButton';
import { useTitle } from '../ui/useTitle';
import { HistoryDrawer } from './HistoryDrawer';
import { NodeDetails } from './NodeDetails';
import { UndoButtons } from './UndoButtons';
import { ViewSwitch } from './ViewSwitch';
import { WorkspaceTitle } from './WorkspaceTitle';

export function WorkspacePage({ id }: { id: string }) {
  const query = useWorkspace(id);
  const isWriting = useIsWriting(id);
  const [mode, setMode] = useState<ViewMode>(recallViewMode);
  const [isHistoryOpen, setIsHistoryOpen] = useState(false);
  useTitle(query.data?.name ?? 'Opening');
  if (query.error instanceof ApiError && !query.error.isPassing) return <NotFoundPage what="workspace" />;
  const status = statusOf(query.data?.revision ?? null, isWriting, query.error);
  const isWritable = query.data ? isOpenToWrites(query.data) : true;
  const chooseMode = (chosen: ViewMode) => {
    rememberViewMode(chosen);
    setMode(chosen);
  };
  return (
    <div className="page workspace">
      <nav className="skip-links" aria-label="Skip to">
        {mode !== 'document' && <a href="#diagram">Diagram</a>}
        {mode !== 'diagram' && <a href="#document">Document</a>}
      </nav>
      <AppBar
        start={
          <>
            <WorkspaceTitle id={id} workspace={query.data} status={status} isWritable={isWritable} />
            <UndoButtons id={id} revision={query.data?.revision} isWritable={isWritable} />
          </>
        }
        middle={<ViewSwitch mode={mode} onChange={chooseMode} />}
        end={
          <IconButton
            icon={History}
            label="History"
            aria-pressed={isHistoryOpen}
            onClick={() => setIsHistoryOpen(!isHistoryOpen)}
          />
        }
      />
      <Trouble error={query.error} status={status} />
      {query.data?.frozen && (
        <p className="banner wide" role="alert">
          <strong>This workspace takes no changes.</strong> {query.data.frozen}
        </p>
      )}
      <div className="workspace-body">
        {query.data ? (
          <Panes workspace={query.data} mode={mode} onShowDiagram={() => chooseMode('split')} />
        ) : (
          <LoadingPanes mode={mode} />
        )}
        {isHistoryOpen && (
          <HistoryDrawer id={id} revision={query.data?.revision} onClose={() => setIsHistoryOpen(false)} />
        )}
      </div>
    </div>
  );
}

const isOpenToWrites = ({ role, frozen }: Workspace): boolean => role !== 'viewer' && !frozen;

/** A line across the page while what is shown may be old, or nothing can be saved. */
function Trouble({ error, status }: { error: Error | null; status: Status }) {
  if (!error) return null;
  const { title, advice } = explain(error);
  return (
    <p className={`banner wide ${status.condition}`} role="alert">
      <strong>{title}.</strong> {advice}
    </p>
  );
}

interface PanesProps {
  workspace: Workspace;
  mode: ViewMode;
  onShowDiagram: () => void;
}

function Panes({ workspace, mode, onShowDiagram }: PanesProps) {
  const { diagram, document } = workspace;
  const [selected, select] = useSelectedNode();
  const [centred, setCentred] = useState<{ id: string; at: number } | null>(
    selected ? { id: selected, at: 0 } : null,
  );
  const chosen = diagram.nodes.find(({ id }) => id === selected);
  const openNode = useCallback(
    (id: string) => {
      select(id);
      setCentred((before) => ({ id, at: (before?.at ?? 0) + 1 }));
    },
    [select],
  );
  const openFromDocument = (id: string) => {
    if (mode === 'document') onShowDiagram();
    openNode(id);
  };
  return (
    <main className={`panes ${mode}`}>
      {mode !== 'diagram' && (
        <DocumentPane
          document={document}
          nodes={diagram.nodes}
          selected={selected}
          onOpenNode={openFromDocument}
        />
      )}
      {mode !== 'document' && (
        <section className="diagram-pane" id="diagram" aria-label="Diagram" tabIndex={-1}>
          <Canvas
            diagram={diagram}
            selected={selected}
            // Only while it is selected: else a change of view would go back to it.
            centred={centred?.id === selected ? centred : null}
            onSelect={select}
            onOpen={openNode}
          />
          {chosen && (
            <NodeDetails node={chosen} diagram={diagram} onOpen={openNode} onClose={() => select(null)} />
          )}
        </section>
      )}
    </main>
  );
}

/** The selected node; it stands in the address as `#node/<id>`, so that a selection can be sent to somebody. */
function useSelectedNode(): [string | null, (id: string | null) => void] {
  const [selected, setSelected] = useState(() => linkedNode(window.location.hash));
  useEffect(() => {
    const listen = () => setSelected(linkedNode(window.location.hash));
    window.addEventListener('hashchange', listen);
    return () => window.removeEventListener('hashchange', listen);
  }, []);
  const select = useCallback((id: string | null) => {
    setSelected(id);
    const { pathname, search } = window.location;
    window.history.replaceState(
      window.history.state,
      '',
      id ? `${NODE_LINK}${encodeURIComponent(id)}` : pathname + search,
    );
  }, []);
  return [selected, select];
}

function LoadingPanes({ mode }: { mode: ViewMode }) {
  return (
    <main className={`panes ${mode}`} aria-busy="true">
      <p className="visually-hidden" role="status">
        Opening the workspace
      </p>
      {mode !== 'diagram' && (
        <div className="document-pane" aria-hidden="true">
          <div className="document-loading">
            {[40, 92, 85, 60, 30, 95, 70].map((width) => (
              <span key={width} className="skeleton line" style={{ width: `${width}%` }} />
            ))}
          </div>
        </div>
      )}
      {mode !== 'document' && <div className="diagram-pane dotted" aria-hidden="true" />}
    </main>
  );
}
