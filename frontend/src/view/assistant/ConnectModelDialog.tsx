/** Connects a model of one of the providers by its key: where the key is kept, what is sent to the model, and a test. */
import '../styles/assistant.css';
import { CircleCheck, LoaderCircle } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { connectedWords, enterable, keyPlaceWords, meantProvider } from '../../model/assistant/connecting';
import { providerWords } from '../../model/assistant/provider';
import { codeWords } from '../../model/words/codeWords';
import { enterKey } from '../../protocol/assistant';
import { ApiError } from '../../protocol/http';
import type { AssistantState, ModelProvider, ProviderName } from '../../protocol/types';
import { explainError } from '../../sync/words/errors';
import { useEditorContext } from '../context/EditorContext';
import { Field } from '../ui/field/Field';
import { Select } from '../ui/field/Select';
import { Dialog } from '../ui/overlay/Dialog';
import { useToasts } from '../ui/overlay/Toasts';
import { useAssistantPart, useAssistantTools } from './useAssistant';

export function ConnectModelDialog({ onClose }: { onClose: () => void }) {
  const assistant = useAssistantPart((facts) => facts.assistant);
  return (
    <Dialog title="Connect a model" onClose={onClose} className="connect-model">
      {assistant && enterable(assistant).length === 0 ? (
        <KeyOutsidePage assistant={assistant} onClose={onClose} />
      ) : (
        assistant && <KeyForm assistant={assistant} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface Props {
  assistant: AssistantState;
  onClose: () => void;
}

function KeyForm({ assistant, onClose }: Props) {
  const connect = useConnecting(onClose);
  const [chosen, setChosen] = useState<ProviderName | null>(null);
  const [key, setKey] = useState('');
  const [error, setError] = useState('');
  const [isTrying, setIsTrying] = useState(false);
  const choices = enterable(assistant);
  const provider = choices.find(({ name }) => name === chosen) ?? meantProvider(assistant);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isTrying || !provider) return;
    if (key.trim() === '') return setError('Enter a key.');
    setIsTrying(true);
    setError('');
    try {
      await connect(provider, key.trim());
    } catch (failure) {
      setError(wordsOf(failure));
      setIsTrying(false);
    }
  };
  return (
    <form className="dialog-form" onSubmit={submit} noValidate>
      <p className="dialog-text">
        With a key, a model answers in place of the built-in commands, for everybody on this server.
      </p>
      {provider && (
        <ProviderField
          provider={provider}
          choices={choices}
          isFixed={isTrying}
          onChoose={(name) => {
            setChosen(name);
            setKey(''); // one provider's key is not sent to another
            setError('');
          }}
        />
      )}
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
            placeholder={provider && `Key of ${provider.label}`}
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
    </form>
  );
}

/** Enters the key of a provider, and says what has come of it. Throws what the server answers where it refuses. */
function useConnecting(onClose: () => void) {
  const { ui } = useEditorContext();
  const { store } = useAssistantTools();
  const toasts = useToasts();
  return async (provider: ModelProvider, key: string) => {
    const answer = await enterKey(key, provider.name);
    await store.take(answer);
    const { answers, ...words } = connectedWords(store.state.getState().assistant ?? answer, provider);
    onClose();
    toasts.show(words);
    if (!answers) return;
    ui.set({ isAsking: true });
    ui.setPanel('assistant');
  };
}

interface ProviderFieldProps {
  provider: ModelProvider;
  choices: readonly ModelProvider[];
  isFixed: boolean;
  onChoose: (name: ProviderName) => void;
}

function ProviderField({ provider, choices, isFixed, onChoose }: ProviderFieldProps) {
  const [first, ...rest] = providerWords({ ...provider, lacks: '' }); // all that is lacking is asked for below
  return (
    <Field label="Provider" hint={[first, rest.join(' ')].filter(Boolean).join(' · ')}>
      {(wiring) => (
        <Select
          {...wiring}
          value={provider.name}
          disabled={isFixed}
          choices={choices.map(({ name, label }) => ({ value: name, text: label }))}
          onChoose={onChoose}
        />
      )}
    </Field>
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
function KeyOutsidePage({ assistant, onClose }: Props) {
  return (
    <div className="dialog-form">
      <p className="dialog-text">{keyPlaceWords(assistant)}</p>
      <footer className="dialog-foot">
        <button type="button" className="button primary" onClick={onClose} data-autofocus>
          Close
        </button>
      </footer>
    </div>
  );
}

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
