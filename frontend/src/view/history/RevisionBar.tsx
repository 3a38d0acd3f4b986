/** The bar of a shown old revision: what it is compared with, steps to older and newer ones, and back to the newest. */
import '../styles/history.css';
import { ChevronLeft, ChevronRight, GitCompareArrows, RotateCcw, X } from 'lucide-react';
import { useEffect } from 'react';
import { countMarks } from '../../model/drawing/compare';
import { compareTexts } from '../../model/text/compareText';
import { ApiError } from '../../protocol/http';
import { useCommands, useEditorContext, useLive, useUiState } from '../context/EditorContext';
import type { ViewedRevision } from '../context/uiState';
import { useCanChange } from '../context/useCanChange';
import { useRevision } from '../context/useRevision';
import { useTextComparison, useWorkspaceView } from '../context/useWorkspaceView';
import { IconButton } from '../ui/IconButton';
import { clock, dayOf } from '../ui/time';
import { useCommit } from './queries';
import { revisionErrorText } from './revisionError';

export function RevisionBar() {
  const viewed = useUiState((state) => state.viewed);
  return viewed && <Bar viewed={viewed} />;
}

function Bar({ viewed }: { viewed: ViewedRevision }) {
  const { ui } = useEditorContext();
  const newest = useLive((live) => live.revision);
  const canChange = useCanChange();
  const { revision, against } = viewed;
  const isComparing = against !== null;
  const upper = against === 'now' ? newest : (against ?? newest);
  const back = () => ui.set({ viewed: null });
  const look = (next: Partial<ViewedRevision>) => ui.set({ viewed: { ...viewed, ...next } });
  const step = (by: number) => look({ revision: Math.min(upper, Math.max(1, revision + by)) });
  const restore = () => ui.set({ dialog: { kind: 'restore', revision } });
  const old = useRevision(revision);
  useCommands([
    {
      id: 'history.back',
      title: 'Back to now',
      group: 'History',
      icon: X,
      keys: ['Escape'],
      // The document is read-only then and needs no keys.
      reach: 'everywhere',
      run: back,
    },
    { id: 'history.older', title: 'Older revision', group: 'History', keys: ['Alt+,'], run: () => step(-1) },
    { id: 'history.newer', title: 'Newer revision', group: 'History', keys: ['Alt+.'], run: () => step(1) },
    {
      id: 'history.compare',
      title: against === 'now' ? 'Stop comparing' : 'Compare with now',
      group: 'History',
      run: () => look({ against: against === 'now' ? null : 'now' }),
    },
    {
      id: 'history.restore',
      title: 'Restore this revision…',
      group: 'History',
      isEnabled: () => canChange,
      run: restore,
    },
  ]);
  // The selection could cover what is shown.
  useEffect(() => {
    ui.set({ tool: { kind: 'select' }, renaming: null });
  }, [ui]);
  return (
    <section className="looking-bar" aria-label="Old revision">
      <div className="looking-steps">
        <IconButton
          icon={ChevronLeft}
          label="Older revision"
          disabled={revision <= 1}
          onClick={() => step(-1)}
        />
        <IconButton
          icon={ChevronRight}
          label="Newer revision"
          disabled={revision >= upper}
          onClick={() => step(1)}
        />
      </div>
      <p className="looking-text" role="status">
        {old.error ? (
          revisionErrorText(old.error)
        ) : isComparing ? (
          <Compared viewed={viewed} />
        ) : (
          <Viewed revision={revision} />
        )}
      </p>
      <div className="looking-actions">
        {old.error instanceof ApiError && typeof nearest(old.error) === 'number' && (
          <button
            type="button"
            className="button small"
            onClick={() => look({ revision: nearest(old.error) ?? revision })}
          >
            View revision {nearest(old.error)}
          </button>
        )}
        <button
          type="button"
          className="button small"
          aria-pressed={against === 'now'}
          onClick={() => look({ against: against === 'now' ? null : 'now' })}
        >
          <GitCompareArrows size={14} strokeWidth={2} aria-hidden="true" /> Compare with now
        </button>
        {canChange && revision < newest && (
          <button type="button" className="button small" onClick={restore}>
            <RotateCcw size={14} strokeWidth={2} aria-hidden="true" /> Restore…
          </button>
        )}
        <button type="button" className="button small primary" onClick={back}>
          Back to now
        </button>
      </div>
    </section>
  );
}

const KEYS = [
  ['added', '+'],
  ['changed', 'Δ'],
  ['removed', '−'],
] as const;

/** The nearest revision that is kept, where the server names one. */
function nearest(error: unknown): number | undefined {
  const found = error instanceof ApiError ? (error.problem as { nearest?: unknown }).nearest : undefined;
  return typeof found === 'number' ? found : undefined;
}

function Viewed({ revision }: { revision: number }) {
  const { data } = useCommit(revision);
  return (
    <>
      <strong>Revision {revision}</strong>
      {data && (
        <>
          , {dayOf(data.at).toLowerCase()} {clock(data.at)}, by {data.actor.name}
          <span className="looking-what"> · {data.what}</span>
        </>
      )}
    </>
  );
}

function Compared({ viewed: { revision, against } }: { viewed: ViewedRevision }) {
  const { marks } = useWorkspaceView();
  const texts = useTextComparison();
  if (!marks || !texts) return <>Reading revision {revision}…</>;
  const counts = countMarks(marks);
  const { added, removed } = compareTexts(texts.from, texts.to);
  return (
    <>
      From <strong>revision {revision}</strong> to{' '}
      <strong>{against === 'now' ? 'now' : `revision ${against}`}</strong>
      {KEYS.filter(([mark]) => counts[mark] > 0).map(([mark, sign]) => (
        <span key={mark} className={`compare-key ${mark}`}>
          {sign} {counts[mark]} {mark}
        </span>
      ))}
      {marks.nodes.size + marks.edges.size === 0 && <span className="compare-key">the same diagram</span>}
      <span className="looking-what">
        {' '}
        · lines of text: +{added} −{removed}
      </span>
    </>
  );
}
