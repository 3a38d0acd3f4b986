/** The providers of models of this server: their models, where each sends, its key, and a button that tries it. */
import { LoaderCircle } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { providerWords } from '../../model/assistant/provider';
import { checkProvider, enterKey, forgetKey } from '../../protocol/assistant';
import type { AssistantState, ModelProvider } from '../../protocol/types';
import { refusalWords } from '../assistant/refusalWords';

interface Props {
  assistant: AssistantState;
  /** Takes what the server answers. */
  onAnswer: (assistant: AssistantState) => void;
}

export function ModelProviders({ assistant, onAnswer }: Props) {
  const { providers } = assistant;
  if (providers.length === 0) return null;
  return (
    <details className="setting setting-more">
      <summary>Providers of models</summary>
      <ul className="model-providers">
        {providers.map((one) => (
          <li key={one.name}>
            <Provider provider={one} isAnswering={one.name === assistant.provider} onAnswer={onAnswer} />
          </li>
        ))}
      </ul>
    </details>
  );
}

interface ProviderProps {
  provider: ModelProvider;
  isAnswering: boolean;
  onAnswer: (assistant: AssistantState) => void;
}

function Provider({ provider, isAnswering, onAnswer }: ProviderProps) {
  const [busy, setBusy] = useState('');
  const [failure, setFailure] = useState('');
  const { name, label, key, is_ready, check } = provider;
  const run = async (what: string, call: () => Promise<AssistantState>) => {
    if (busy) return false;
    setBusy(what);
    setFailure('');
    try {
      onAnswer(await call());
      return true;
    } catch (error) {
      setFailure(refusalWords(error));
      return false;
    } finally {
      setBusy('');
    }
  };
  return (
    <div role="group" aria-label={label}>
      <p className="setting-value">
        {label}
        {isAnswering && ' · answers here'}
      </p>
      {providerWords(provider).map((line) => (
        <p key={line} className="field-hint">
          {line}
        </p>
      ))}
      {key.may_enter && <KeyForm label={label} onEnter={(text) => run('key', () => enterKey(text, name))} />}
      <div className="setting-actions">
        {key.may_enter && key.source === 'page' && (
          <button type="button" className="button" onClick={() => void run('forget', () => forgetKey(name))}>
            Forget the key
          </button>
        )}
        {is_ready && (
          <button
            type="button"
            className="button"
            onClick={() => void run('check', () => checkProvider(name))}
          >
            {busy === 'check' && <LoaderCircle className="running-wheel" size={15} aria-hidden="true" />}
            Try the connection
          </button>
        )}
      </div>
      <p role="status" className="field-hint">
        {busy === '' && failure === '' && check ? check.detail : ''}
      </p>
      {failure !== '' && (
        <p className="banner" role="alert">
          {failure}
        </p>
      )}
    </div>
  );
}

function KeyForm({ label, onEnter }: { label: string; onEnter: (key: string) => Promise<boolean> }) {
  const [key, setKey] = useState('');
  const enter = async (event: FormEvent) => {
    event.preventDefault();
    if (key.trim() !== '' && (await onEnter(key.trim()))) setKey('');
  };
  return (
    <form className="setting-actions" onSubmit={enter}>
      <input
        type="password"
        aria-label={`Key of ${label}`}
        placeholder="API key"
        autoComplete="off"
        spellCheck={false}
        value={key}
        onChange={(event) => setKey(event.target.value)}
      />
      <button type="submit" className="button">
        Keep the key
      </button>
    </form>
  );
}
