/** The dialog that sends a draft as one proposal, with a reason. Problems are listed beside their changes. */
import '../styles/suggest.css';
import { X } from 'lucide-react';
import { counted } from '../../model/words/kinds';
import { ApiError } from '../../protocol/http';
import type { Draft } from '../../sync/client/client';
import { useEditorContext, useLive } from '../context/EditorContext';
import { IconButton } from '../ui/IconButton';
import { Dialog } from '../ui/overlay/Dialog';
import { SuggestionForm } from './SuggestionForm';
import { useSuggest } from './useSuggest';

export function ProposeDialog({ onClose }: { onClose: () => void }) {
  const { client } = useEditorContext();
  const drafts = useLive((live) => live.drafts);
  const suggestion = useSuggest(() => {
    client.dropDrafts(drafts.map(({ id }) => id));
    onClose();
  });
  const { error } = suggestion;
  const drop = (id: string) => {
    suggestion.reset();
    client.dropDrafts([id]);
  };
  const send = (explanation: string) =>
    suggestion.mutate({ operations: drafts.flatMap(({ operations }) => operations), explanation });
  return (
    <Dialog title="Propose your changes" onClose={onClose}>
      <SuggestionForm
        error={error}
        words={`Propose ${counted(drafts.length, 'change')}`}
        canSend={drafts.length > 0 && !suggestion.isPending}
        isReasonFirst
        onSend={send}
        onClose={onClose}
      >
        <ol className="draft-changes" aria-label="Changes">
          {drafts.map((draft) => (
            <li key={draft.id}>
              <div>
                {draft.label}
                {!draft.isShown && (
                  <p className="field-hint">Not shown here: only the server can tell what becomes of it.</p>
                )}
                {problemsOf(error, drafts, draft).map((message) => (
                  <p key={message} className="field-error">
                    {message}
                  </p>
                ))}
              </div>
              <IconButton
                icon={X}
                label={`Leave out: ${draft.label}`}
                className="small"
                onClick={() => drop(draft.id)}
              />
            </li>
          ))}
        </ol>
        {drafts.length === 0 && <p className="dialog-text">Nothing is left of the draft.</p>}
      </SuggestionForm>
    </Dialog>
  );
}

/** What the server has said of the operations of one change of the draft. */
function problemsOf(error: Error | null, drafts: readonly Draft[], draft: Draft): string[] {
  if (!(error instanceof ApiError)) return [];
  const at = drafts.indexOf(draft);
  const first = drafts.slice(0, at).reduce((sum, { operations }) => sum + operations.length, 0);
  const isOfIt = (index: number) => index >= first && index < first + draft.operations.length;
  return (error.problem.problems ?? []).filter(({ index }) => isOfIt(index)).map(({ message }) => message);
}
