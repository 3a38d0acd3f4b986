/** Accepting a proposal, as a whole or in part, and discarding it; a refusal is shown on its card. */
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { CardFailure, Turn } from '../../../model/assistant/card';
import { isSuggestion } from '../../../model/assistant/turns';
import { codeWords } from '../../../model/words/codeWords';
import { counted } from '../../../model/words/kinds';
import { acceptProposal, rejectProposal } from '../../../protocol/assistant';
import { ApiError } from '../../../protocol/http';
import type { ProposalFull } from '../../../protocol/types';
import type { LiveClient } from '../../../sync/client/client';
import { useEditorContext } from '../../context/EditorContext';
import { useUndoRequest } from '../../history/useUndoRequest';
import { ConfirmDialog } from '../../ui/overlay/ConfirmDialog';
import { useToasts } from '../../ui/overlay/Toasts';
import { dismissWhenUndone } from '../dismissWhenUndone';
import { useAssistantActions } from '../useAssistant';
import { proposalKey } from './useRunResult';

/** Discarding more than this asks first, because it is final. */
const MAX_UNASKED = 20;
const COMES_WITHIN_MS = 5_000;

export interface Decision {
  accept: (operations: readonly number[]) => void;
  discard: () => void;
  isBusy: boolean;
  /** Whether it is accepted and its commit is shown. */
  isOver: boolean;
  failure: CardFailure | null;
  /** A confirmation to be answered first. */
  question: ReactNode;
}

export function useDecision(turn: Turn, full: ProposalFull): Decision {
  const { id, client } = useEditorContext();
  const queries = useQueryClient();
  const toasts = useToasts();
  const stepBack = useUndoRequest();
  const { again } = useAssistantActions();
  const [isBusy, setIsBusy] = useState(false);
  const [isOver, setIsOver] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const [failure, setTrouble] = useState<CardFailure | null>(null);

  const decide = async (act: () => Promise<void>) => {
    setIsBusy(true);
    setTrouble(null);
    try {
      await act();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setTrouble(troubleOf(error));
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
      await inView(client, revision);
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
  const discard = () => (full.operations.length > MAX_UNASKED ? setIsAsking(true) : reject());
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

function troubleOf({ code, problem }: ApiError): CardFailure {
  const { detail, problems } = problem;
  // The rows show the conflicts, and the card has the actions already.
  const isOfRows = code === 'proposal_conflict' || code === 'proposal_closed';
  const { sentence, steps } = codeWords(code);
  return { code, sentence, detail, problems: problems ?? [], steps: isOfRows ? [] : steps };
}

/** Waits until a revision is shown, with a timeout, because the connection may be down. */
function inView(client: LiveClient, revision: number): Promise<void> {
  if (client.revision >= revision) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      leave();
      resolve();
    };
    const timer = setTimeout(end, COMES_WITHIN_MS);
    const leave = client.subscribe(() => {
      if (client.revision >= revision) end();
    });
  });
}
