/**
 * An open proposal: its operations with checkboxes, accepted as a whole or in part, or discarded. While it is expanded,
 * the selected operations are drawn as ghosts. Not here: dependencies (`model/assistant/proposalSelection`), drawing
 * (`canvas/ghosts`, `document/ghosts`).
 */

import { useQueryClient } from '@tanstack/react-query';
import { Eye, EyeOff } from 'lucide-react';
import { type ReactNode, useId, useMemo, useState } from 'react';
import type { Card, CardFailure, Turn } from '../../../model/assistant/card';
import { operationDetails } from '../../../model/assistant/operationDetails';
import {
  allIndexes,
  type ProposalRow,
  proposalRows,
  toggled,
} from '../../../model/assistant/proposalSelection';
import { isSuggestion } from '../../../model/assistant/turns';
import { codeWords } from '../../../model/words/codeWords';
import { counted } from '../../../model/words/kinds';
import { acceptProposal, rejectProposal } from '../../../protocol/assistant';
import { ApiError } from '../../../protocol/http';
import type { ProposalFull, ProposedOperation } from '../../../protocol/types';
import type { LiveClient } from '../../../sync/client/client';
import { useEditorContext, useLive } from '../../context/EditorContext';
import { useCanChange } from '../../context/useCanChange';
import { useUndoRequest } from '../../history/useUndoRequest';
import { IconButton } from '../../ui/IconButton';
import { ConfirmDialog } from '../../ui/overlay/ConfirmDialog';
import { useToasts } from '../../ui/overlay/Toasts';
import { dismissWhenUndone } from '../dismissWhenUndone';
import { useAssistantActions } from '../useAssistant';
import { FailurePart } from './FailurePart';
import { Operations } from './Operations';
import { proposalTitle } from './proposalTitle';
import { useProposalGhosts } from './useProposalGhosts';
import { proposalKey } from './useRunResult';

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
          <FailurePart turn={turn} failure={decision.failure} />
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

interface RowsProps {
  operations: readonly ProposedOperation[];
  rows: readonly ProposalRow[];
  onTick: (index: number) => void;
}

/** The operations of a proposal, each with its checkbox, its dependencies, and why it no longer fits if so. */
function ProposedRows({ operations, rows, onTick }: RowsProps) {
  const canChange = useCanChange();
  return (
    <ul className="card-operations card-ticks" aria-label="Proposed operations">
      {operations.map((operation, at) => {
        const row = rows[at];
        return (
          row && (
            <Row
              key={operation.index}
              operation={operation}
              row={row}
              needs={directNeeds(operation, operations)}
              canTick={canChange}
              onTick={onTick}
            />
          )
        );
      })}
    </ul>
  );
}

interface RowProps {
  operation: ProposedOperation;
  row: ProposalRow;
  /** Its dependencies in words. */
  needs: readonly string[];
  canTick: boolean;
  onTick: (index: number) => void;
}

function Row({ operation: { index, op, what, asked }, row, needs, canTick, onTick }: RowProps) {
  const noteId = useId();
  const { isChecked, isEnabled, why } = row;
  const note = isEnabled ? (needs.length > 0 ? `needs ${needs.map(quoted).join(' and ')}` : '') : why;
  const particulars = operationDetails(op, asked);
  const classes = ['card-operation', isChecked ? '' : 'is-off', isEnabled ? '' : 'is-conflict'];
  return (
    <li className={classes.filter(Boolean).join(' ')} data-index={index}>
      {canTick ? (
        <label className="card-tick">
          <input
            type="checkbox"
            checked={isChecked}
            disabled={!isEnabled}
            aria-describedby={note ? noteId : undefined}
            onChange={() => onTick(index)}
          />
          <span className="card-operation-what">{what}</span>
        </label>
      ) : (
        <p className="card-tick">
          <span className="card-operation-what">{what}</span>
        </p>
      )}
      {particulars && <p className="card-asked">{particulars}</p>}
      {note && (
        <p id={noteId} className={isEnabled ? 'card-needs' : 'card-conflict'}>
          {isEnabled ? note : `Does not fit any more: ${note}`}
        </p>
      )}
    </li>
  );
}

/** Direct dependencies only: transitive ones are implied. */
function directNeeds({ depends_on }: ProposedOperation, operations: readonly ProposedOperation[]): string[] {
  const needed = operations.filter(({ index }) => depends_on.includes(index));
  return needed
    .filter(({ index }) => !needed.some((other) => other.depends_on.includes(index)))
    .map(({ what }) => what);
}

const quoted = (text: string): string => `“${text}”`;

/** Discarding more than this asks first, because it is final. */
const MAX_WITHOUT_QUESTION = 20;
const SHOWN_TIMEOUT_MS = 5_000;

interface Decision {
  accept: (operations: readonly number[]) => void;
  discard: () => void;
  isBusy: boolean;
  /** Whether it is accepted and its commit is shown. */
  isOver: boolean;
  failure: CardFailure | null;
  /** A confirmation to be answered first. */
  question: ReactNode;
}

/** Accepting a proposal, as a whole or in part, and discarding it; a refusal is shown on its card. */
function useDecision(turn: Turn, full: ProposalFull): Decision {
  const { id, client } = useEditorContext();
  const queries = useQueryClient();
  const toasts = useToasts();
  const stepBack = useUndoRequest();
  const { again } = useAssistantActions();
  const [isBusy, setIsBusy] = useState(false);
  const [isOver, setIsOver] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const [failure, setFailure] = useState<CardFailure | null>(null);

  const decide = async (act: () => Promise<void>) => {
    setIsBusy(true);
    setFailure(null);
    try {
      await act();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setFailure(failureOf(error));
    } finally {
      // Also after a refusal: others may have decided, or changed what it depends on.
      await queries.invalidateQueries({ queryKey: proposalKey(id, full.id) });
      setIsBusy(false);
    }
  };
  const accept = (operations: readonly number[]) =>
    void decide(async () => {
      const isAll = operations.length === full.operations.length;
      const answer = await acceptProposal(id, full.id, isAll ? {} : { operations });
      const { revision, operations: taken } = answer;
      await revisionShown(client, revision);
      setIsOver(true);
      // Decided by somebody else, perhaps in part, perhaps undone since: the card shows it.
      if (answer.replayed)
        return void toasts.show({ text: `It had been accepted before, as revision ${revision}` });
      const label = full.prompt || full.explanation || `the suggestion of ${full.actor.name}`;
      const dismiss = toasts.show({
        text: `Accepted ${counted(taken.length, 'operation')} as revision ${revision}`,
        action: {
          label: 'Undo',
          run: () => void stepBack({ kind: 'revert', label, rev: revision, upto: null }),
        },
      });
      dismissWhenUndone(client, revision, dismiss);
    });
  const reject = () => {
    setIsAsking(false);
    void decide(async () => {
      await rejectProposal(id, full.id);
      if (isSuggestion(turn))
        toasts.show({ text: turn.isMine ? 'Suggestion withdrawn' : 'Suggestion discarded' });
      else
        toasts.show({
          text: 'Proposal discarded',
          action: { label: 'Ask again', run: () => again(turn.run) },
        });
    });
  };
  const discard = () => (full.operations.length > MAX_WITHOUT_QUESTION ? setIsAsking(true) : reject());
  const question = isAsking && (
    <ConfirmDialog
      title="Discard this proposal?"
      confirm={`Discard ${counted(full.operations.length, 'operation')}`}
      tone="bad"
      onConfirm={reject}
      onClose={() => setIsAsking(false)}
    >
      It cannot be opened again.{!isSuggestion(turn) && ' You can ask for the same once more.'}
    </ConfirmDialog>
  );
  return { accept, discard, isBusy, isOver, failure, question };
}

function failureOf({ code, problem }: ApiError): CardFailure {
  const { detail, problems } = problem;
  // The rows show the conflicts, and the card has the actions already.
  const isOfRows = code === 'proposal_conflict' || code === 'proposal_closed';
  const { sentence, steps } = codeWords(code);
  return { code, sentence, detail, problems: problems ?? [], steps: isOfRows ? [] : steps };
}

/** Waits until a revision is shown, with a timeout, because the connection may be down. */
function revisionShown(client: LiveClient, revision: number): Promise<void> {
  if (client.revision >= revision) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      leave();
      resolve();
    };
    const timer = setTimeout(end, SHOWN_TIMEOUT_MS);
    const leave = client.subscribe(() => {
      if (client.revision >= revision) end();
    });
  });
}
