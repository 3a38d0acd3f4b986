/**
 * An open proposal: its operations with checkboxes, accepted as a whole or in part, or discarded. While it is expanded,
 * the selected operations are drawn as ghosts. Not here: dependencies (`model/assistant/proposalSelection`), drawing
 * (`canvas/ghosts`, `document/ghosts`).
 */
import { Eye, EyeOff } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Card, Turn } from '../../../model/assistant/card';
import { allIndexes, proposalRows, toggled } from '../../../model/assistant/proposalSelection';
import type { ProposalFull } from '../../../protocol/types';
import { useEditorContext, useLive } from '../../context/EditorContext';
import { useCanChange } from '../../context/useCanChange';
import { IconButton } from '../../ui/IconButton';
import { Operations } from './Operations';
import { ProposedRows } from './ProposedRows';
import { proposalTitle } from './proposalTitle';
import { TroublePart } from './TroublePart';
import { useDecision } from './useDecision';
import { useProposalGhosts } from './useProposalGhosts';

interface Props {
  turn: Turn;
  card: Card;
  /** With its operations; null until it was read. */
  full: ProposalFull | null;
  /** Whether it is previewed without being asked for; by default what one asked for oneself. */
  isPreviewed?: boolean;
  /** The words of the button that accepts all of it. */
  accept?: string | undefined;
}

export function ProposalPart({ turn, card, full, isPreviewed = turn.isMine, accept }: Props) {
  if (!full)
    return (
      <>
        <Operations operations={card.operations} />
        <p className="card-hint" role="status">
          Looking whether it still fits…
        </p>
      </>
    );
  return <OpenProposal turn={turn} full={full} isPreviewed={isPreviewed} accept={accept} />;
}

interface OpenProps {
  turn: Turn;
  full: ProposalFull;
  isPreviewed: boolean;
  accept: string | undefined;
}

function OpenProposal({ turn, full, isPreviewed, accept }: OpenProps) {
  const { operations } = full;
  const [chosen, setChosen] = useState<ReadonlySet<number>>(() => allIndexes(operations));
  const [announcement, setAnnouncement] = useState('');
  const rows = useMemo(() => proposalRows(operations, chosen), [operations, chosen]);
  const taken = useMemo(() => rows.filter(({ isChecked }) => isChecked).map(({ index }) => index), [rows]);
  const decision = useDecision(turn, full);
  const title = proposalTitle(full, turn.isMine);
  const ghosts = useProposalGhosts({ full, taken, title, isMine: isPreviewed, isOver: decision.isOver });
  const row = (index: number) => {
    const next = toggled(operations, chosen, index);
    setChosen(next.chosen);
    setAnnouncement(alongWords(operations, index, next.also, next.chosen.has(index)));
  };
  return (
    <div ref={ghosts.box} className="card-proposal">
      <div className="card-proposal-head">
        <span>
          {full.fit === 'conflicts'
            ? 'Part of it no longer fits what is there now.'
            : 'Nothing is changed yet.'}
        </span>
        <IconButton
          icon={ghosts.isShown ? Eye : EyeOff}
          label="Preview"
          className="small card-eye tip-left"
          aria-pressed={ghosts.isShown}
          onClick={ghosts.toggle}
        />
      </div>
      <ProposedRows operations={operations} rows={rows} onTick={row} />
      <p className="card-along" role="status">
        {announcement}
      </p>
      {decision.failure && (
        <div role="alert">
          <TroublePart turn={turn} failure={decision.failure} />
        </div>
      )}
      <Buttons count={operations.length} taken={taken} decision={decision} isOwn={turn.isMine} all={accept} />
    </div>
  );
}

interface ButtonsProps {
  count: number;
  taken: readonly number[];
  decision: ReturnType<typeof useDecision>;
  isOwn: boolean;
  /** The words for all of it. */
  all: string | undefined;
}

function Buttons({ count, taken, decision, isOwn, all }: ButtonsProps) {
  const { access } = useEditorContext();
  const canChange = useCanChange();
  const role = useLive((live) => live.role);
  if (!canChange)
    return (
      <>
        <p className="card-hint">{isOwn ? 'Somebody who may edit accepts it.' : access.reason}</p>
        {isOwn && role === 'commenter' && (
          <div className="card-actions">
            <button
              type="button"
              className="button small"
              disabled={decision.isBusy}
              onClick={decision.discard}
            >
              Withdraw
            </button>
            {decision.question}
          </div>
        )}
      </>
    );
  const words =
    taken.length < count
      ? `Accept ${taken.length} of ${count}`
      : (all ?? (count === 1 ? 'Accept' : `Accept all ${count}`));
  return (
    <div className="card-actions">
      <button
        type="button"
        className="button small primary"
        disabled={taken.length === 0 || decision.isBusy}
        onClick={() => decision.accept(taken)}
      >
        {words}
      </button>
      <button type="button" className="button small" disabled={decision.isBusy} onClick={decision.discard}>
        Discard
      </button>
      {decision.question}
    </div>
  );
}

/** Announces what was selected or deselected along, and why. */
function alongWords(
  operations: ProposalFull['operations'],
  index: number,
  also: readonly number[],
  isChecked: boolean,
): string {
  if (also.length === 0) return '';
  const what = (at: number) => `“${operations.find((one) => one.index === at)?.what ?? ''}”`;
  const all = also.map(what).join(', ');
  const [one, needed] = [also.length === 1, what(index)];
  return isChecked
    ? `${all} ${one ? 'comes' : 'come'} along: ${needed} needs ${one ? 'it' : 'them'}.`
    : `${all} ${one ? 'goes' : 'go'} too: ${one ? 'it needs' : 'they need'} ${needed}.`;
}
