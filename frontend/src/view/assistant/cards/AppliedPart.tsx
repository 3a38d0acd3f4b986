/** Actions for a request that became a commit: show, undo all of it, redo. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Card, Undone } from '../../../model/assistant/card';
import { leftOutWords } from '../../../model/history/leftOut';
import { useEditorContext } from '../../context/EditorContext';
import { useCanChange } from '../../context/useCanChange';
import { useCommit } from '../../history/queries';
import { undoState } from '../../history/useUndo';
import { type UndoRequest, useUndoRequest } from '../../history/useUndoRequest';
import { useReveal } from './useReveal';

const STATES: ReadonlySet<Card['state']> = new Set(['applied', 'undone', 'partly-undone']);

export function AppliedPart({ card, undone }: { card: Card; undone: Undone | null }) {
  const { revision, state } = card;
  if (revision === null || !STATES.has(state)) return null;
  return (
    <>
      {state === 'partly-undone' && undone && <LeftOut revision={undone.revision} />}
      <Buttons card={card} revision={revision} undone={undone} />
    </>
  );
}

/** What an undo had to leave out, and why. */
function LeftOut({ revision }: { revision: number }) {
  const left = useCommit(revision).data?.left_out ?? [];
  if (left.length === 0) return null;
  return <p className="card-left">Left as it is: {leftOutWords(left)}.</p>;
}

function Buttons({ card, revision, undone }: { card: Card; revision: number; undone: Undone | null }) {
  const { ui } = useEditorContext();
  const canChange = useCanChange();
  const stepBack = useUndoRequest();
  const { showCommit } = useReveal();
  const [isBusy, setIsBusy] = useState(false);
  const again = useRetry(card, undone);
  const count = card.operations.length;
  const take = async (step: UndoRequest) => {
    setIsBusy(true);
    ui.set({ viewed: null });
    await stepBack(step);
    setIsBusy(false);
  };
  const label = labelOf(card);
  return (
    <div className="card-actions">
      {canChange && card.state === 'applied' && (
        <button
          type="button"
          className="button small"
          disabled={isBusy}
          onClick={() => void take({ kind: 'revert', label, rev: revision, upto: null })}
        >
          {count > 1 ? `Undo all ${count}` : 'Undo all'}
        </button>
      )}
      {canChange && again && (
        <button type="button" className="button small" disabled={isBusy} onClick={() => void take(again)}>
          Apply again
        </button>
      )}
      {card.state !== 'undone' && (
        <button type="button" className="button small" onClick={() => showCommit(revision)}>
          Show
        </button>
      )}
      <button type="button" className="button small" onClick={() => ui.showCommit(revision)}>
        In the history
      </button>
    </div>
  );
}

/** How to redo it, where that is the next thing the server would undo or redo; else null. */
function useRetry(card: Card, undone: Undone | null): UndoRequest | null {
  const { id } = useEditorContext();
  const isUndone = card.state === 'undone' || card.state === 'partly-undone';
  // The same query as the undo buttons, which refetch it whenever it may have changed.
  const { data } = useQuery({ ...undoState(id), enabled: isUndone });
  if (!isUndone || !undone || !data) return null;
  const expect = undone.revision;
  const label = labelOf(card);
  if (data.redo?.rev === expect) return { kind: 'redo', label, options: { expect } };
  // It was reverted by revision: the revert is on the undo stack, and undoing that restores everything.
  if (data.undo?.rev === expect) return { kind: 'undo', label, options: { expect } };
  return null;
}

const labelOf = ({ operations, message }: Card): string =>
  operations.length === 1 ? (operations[0]?.what ?? '') : message.split('\n')[0]?.slice(0, 80) || '';
