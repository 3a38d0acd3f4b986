/** Connects a model of one of the providers by its key: where the key is kept, what is sent to the model, and a test. */
import '../styles/assistant.css';
import { CircleCheck, LoaderCircle } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { connectedWords, enterable, keyPlaceWords, meantProvider } from '../../model/assistant/connecting';
import { providerWords } from '../../model/assistant/provider';
import { enterKey } from '../../protocol/assistant';
import type { AssistantState, ModelProvider, ProviderName } from '../../protocol/types';
import { useEditorContext } from '../context/EditorContext';
import { Field } from '../ui/field/Field';
import { Select } from '../ui/field/Select';
import { Dialog } from '../ui/overlay/Dialog';
import { useToasts } from '../ui/overlay/Toasts';
import { OwnServerForm } from './OwnServerForm';
import { refusalWords } from './refusalWords';
import { useAssistantPart, useAssistantTools } from './useAssistant';

export function ConnectModelDialog({ onClose }: { onClose: () => void }) {
  const assistant = useAssistantPart((facts) => facts.assistant);
  return (
    <Dialog title="Connect a model" onClose={onClose} className="connect-model">
      {assistant && <ConnectModel assistant={assistant} onClose={onClose} />}
    </Dialog>
  );
}

function ConnectModel({ assistant, onClose }: Props) {
  const [chosen, setChosen] = useState<ProviderName | null>(assistant.provider === OWN ? OWN : null);
  const [isTrying, setIsTrying] = useState(false);
  const choices = enterable(assistant);
  const { server } = assistant;
  const provider = choices.find(({ name }) => name === chosen) ?? meantProvider(assistant);
  const isOwn = server && (chosen === OWN || !provider);
  if (!isOwn && !provider) return <KeyOutsidePage assistant={assistant} onClose={onClose} />;
  return (
    <div className="dialog-form">
      {choices.length > 0 && (
        <ProviderField
          provider={isOwn ? null : (provider ?? null)}
          choices={choices}
          hasOwn={server !== null}
          isFixed={isTrying}
          onChoose={setChosen}
        />
      )}
      {isOwn ? (
        <OwnServerForm server={server} onClose={onClose} />
      ) : (
        provider && (
          <KeyForm
            key={provider.name} // one provider's key is not sent to another
            provider={provider}
            isTrying={isTrying}
            onTrying={setIsTrying}
            onClose={onClose}
          />
        )
      )}
    </div>
  );
}

interface Props {
  assistant: AssistantState;
  onClose: () => void;
}

interface KeyFormProps {
  provider: ModelProvider;
  isTrying: boolean;
  onTrying: (isTrying: boolean) => void;
  onClose: () => void;
}

function KeyForm({ provider, isTrying, onTrying, onClose }: KeyFormProps) {
  const connect = useConnecting(onClose);
  const [key, setKey] = useState('');
  const [error, setError] = useState('');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isTrying) return;
    if (key.trim() === '') return setError('Enter a key.');
    onTrying(true);
    setError('');
    try {
      await connect(provider, key.trim());
    } catch (failure) {
      setError(refusalWords(failure));
      onTrying(false);
    }
  };
  return (
    <form className="dialog-form" onSubmit={submit} noValidate>
      <p className="dialog-text">
        With a key, a model answers in place of the built-in commands, for everybody on this server.
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
            placeholder={`Key of ${provider.label}`}
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
  /** Null: a server of one's own. */
  provider: ModelProvider | null;
  choices: readonly ModelProvider[];
  hasOwn: boolean;
  isFixed: boolean;
  onChoose: (name: ProviderName) => void;
}

/** Whose model is connected: one of a provider whose key can be entered here, or one of a server of one's own. */
function ProviderField({ provider, choices, hasOwn, isFixed, onChoose }: ProviderFieldProps) {
  const [first, ...rest] = provider ? providerWords({ ...provider, lacks: '' }) : [OWN_WORDS]; // the rest is asked below
  const named = choices.map(({ name, label }) => ({ value: name, text: label }));
  return (
    <Field label="Provider" hint={[first, rest.join(' ')].filter(Boolean).join(' · ')}>
      {(wiring) => (
        <Select
          {...wiring}
          value={provider?.name ?? OWN}
          disabled={isFixed}
          choices={hasOwn ? [...named, { value: OWN, text: 'A server of your own' }] : named}
          onChoose={onChoose}
        />
      )}
    </Field>
  );
}

const OWN: ProviderName = 'own';
const OWN_WORDS =
  'Ollama, vLLM, LM Studio, llama.cpp, or another that speaks as OpenAI does; it answers for everybody on this server.';

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
