/** Connects a model by its key: where the key is kept, what is sent to the model, and a test. */
import '../styles/assistant.css';
import { CircleCheck, LoaderCircle } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { codeWords } from '../../model/words/codeWords';
import { ApiError } from '../../protocol/http';
import type { AssistantState } from '../../protocol/types';
import { explainError } from '../../sync/words/errors';
import { useEditorContext } from '../context/EditorContext';
import { Dialog } from '../ui/Dialog';
import { Field } from '../ui/Field';
import { useToasts } from '../ui/Toasts';
import { useAssistantPart, useAssistantTools } from './useAssistant';

export function ConnectModelDialog({ onClose }: { onClose: () => void }) {
  const { ui } = useEditorContext();
  const { store } = useAssistantTools();
  const toasts = useToasts();
  const assistant = useAssistantPart((facts) => facts.assistant);
  const [key, setKey] = useState('');
  const [error, setError] = useState('');
  const [isTrying, setIsTrying] = useState(false);
  const connect = async (event: FormEvent) => {
    event.preventDefault();
    if (isTrying) return;
    if (key.trim() === '') return setError('Enter a key.');
    setIsTrying(true);
    setError('');
    try {
      const now = await store.enterKey(key.trim());
      onClose();
      toasts.show({ text: `${now.label} answers now`, detail: `What you ask goes to ${now.sends.where}.` });
      ui.set({ isAsking: true });
      ui.setPanel('assistant');
    } catch (failure) {
      setError(wordsOf(failure));
      setIsTrying(false);
    }
  };
  return (
    <Dialog title="Connect a model" onClose={onClose} className="connect-model">
      <form className="dialog-form" onSubmit={connect} noValidate>
        {assistant && !mayEnter(assistant) ? (
          <Elsewhere assistant={assistant} onClose={onClose} />
        ) : (
          <>
            <p className="dialog-text">
              With a key of Anthropic, or of a gateway that speaks as it does, a model answers in place of the
              built-in commands, for everybody on this server.
            </p>
            <Field
              label="API key"
              hint="It is tried first: nothing of your work is sent for that."
              error={error || undefined}
            >
              {(wiring) => (
                <input
                  {...wiring}
                  type="password"
                  name="model-key"
                  autoComplete="off"
                  spellCheck={false}
                  value={key}
                  data-autofocus
                  onChange={(event) => {
                    setKey(event.target.value);
                    setError('');
                  }}
                />
              )}
            </Field>
            <Promises />
            <footer className="dialog-foot">
              <button type="button" className="button" onClick={onClose}>
                Cancel
              </button>
              <button type="submit" className="button primary" aria-disabled={isTrying}>
                {isTrying && (
                  <LoaderCircle className="running-wheel" size={15} strokeWidth={2.2} aria-hidden="true" />
                )}
                {isTrying ? 'Trying the key…' : 'Connect'}
              </button>
            </footer>
          </>
        )}
      </form>
    </Dialog>
  );
}

function Promises() {
  return (
    <ul className="promises">
      {PROMISES.map((promise) => (
        <li key={promise}>
          <CircleCheck size={15} strokeWidth={2} aria-hidden="true" /> {promise}
        </li>
      ))}
    </ul>
  );
}

const PROMISES = [
  'The key goes to this server, and from there to the provider alone.',
  'It is kept in a file of the data folder that only its owner can read, and is never shown again. You can have it forgotten at any time.',
  'When somebody asks, the request, the diagram, the document or its outline, and the last turns of the conversation are sent; nothing of other workspaces. The panel lists exactly what.',
];

/** Where the key is not entered in a page. */
function Elsewhere({ assistant, onClose }: { assistant: AssistantState; onClose: () => void }) {
  return (
    <>
      <p className="dialog-text">
        {assistant.key.source === 'environment'
          ? 'A key is set where the server is started (ANTHROPIC_API_KEY). It is changed there.'
          : 'On this server keys are not entered in the page. Whoever runs it sets ANTHROPIC_API_KEY.'}
      </p>
      <footer className="dialog-foot">
        <button type="button" className="button primary" onClick={onClose} data-autofocus>
          Close
        </button>
      </footer>
    </>
  );
}

const mayEnter = ({ key }: AssistantState): boolean => key.may_enter;

/** The words for the code, with the server's details. */
function wordsOf(failure: unknown): string {
  if (failure instanceof ApiError && failure.status >= 400 && failure.status < 500) {
    const { sentence } = codeWords(failure.code);
    const detail = failure.problem.problems.map(({ message }) => message).join(' ') || failure.problem.detail;
    return sentence === detail ? detail : `${sentence} ${detail}`;
  }
  const { title, advice } = explainError(failure);
  return `${title}. ${advice}`;
}
