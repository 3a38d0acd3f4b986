/**
 * Connects a server of models of one's own: its address, where that leads, one of its models, and what came of trying it.
 * Not here: the words for what came of it (`model/assistant/ownServer`).
 */
import { CircleCheck, CircleMinus, CircleX, LoaderCircle } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import {
  placeWords,
  stepAfter,
  TRIAL_STEPS,
  type TrialRow,
  trialRows,
  trialVerdict,
} from '../../model/assistant/ownServer';
import { enterServer, forgetServer, lookAtServer, tryServer } from '../../protocol/assistant';
import type { EnteredServer, ServerLook, TrialStep } from '../../protocol/types';
import { Field } from '../ui/field/Field';
import { Select } from '../ui/field/Select';
import { refusalWords } from './refusalWords';
import { useAssistantTools } from './useAssistant';

interface Props {
  server: EnteredServer;
  onClose: () => void;
}

type Shown = 'address' | 'trial' | 'address again';

export function OwnServerForm({ server, onClose }: Props) {
  const [shown, setShown] = useState<Shown>('address');
  if (server.lacks !== '')
    return (
      <>
        <p className="dialog-text">{server.lacks}</p>
        <Foot onClose={onClose} />
      </>
    );
  if (shown === 'trial')
    return <Trial server={server} onBack={() => setShown('address again')} onClose={onClose} />;
  return (
    <AddressForm
      server={server}
      isAgain={shown === 'address again'}
      onClose={onClose}
      onEntered={() => setShown('trial')}
    />
  );
}

interface AddressFormProps extends Props {
  /** Whether somebody has come back to it, whose focus is nowhere then. */
  isAgain: boolean;
  onEntered: () => void;
}

function AddressForm({ server, isAgain, onClose, onEntered }: AddressFormProps) {
  const entering = useEntering(server, onEntered);
  const { address, key, place, look, model, busy, error } = entering;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isAgain) field.current?.focus();
  }, [isAgain]);
  return (
    <form className="dialog-form" onSubmit={entering.submit} noValidate>
      <Field label="Address" hint="Such as http://localhost:11434" error={error || undefined}>
        {(wiring) => (
          <input
            {...wiring}
            ref={field}
            type="url"
            name="model-address"
            autoComplete="off"
            spellCheck={false}
            value={address}
            data-autofocus
            onChange={(event) => entering.setAddress(event.target.value)}
          />
        )}
      </Field>
      <Field label="Key" hint="Only where the server wants one. It is never shown again.">
        {(wiring) => (
          <input
            {...wiring}
            type="password"
            name="model-key"
            autoComplete="off"
            spellCheck={false}
            value={key}
            onChange={(event) => entering.setKey(event.target.value)}
          />
        )}
      </Field>
      <p role="status" className="dialog-text">
        {place || wordsBefore(server)}
      </p>
      {look && <ModelField names={look.models} model={model} onChoose={entering.setModel} />}
      <Foot onClose={onClose}>
        {server.address !== null && (
          <button type="button" className="button" onClick={entering.forget}>
            Forget this server
          </button>
        )}
        <button type="submit" className="button primary" aria-disabled={busy}>
          {busy && <LoaderCircle className="running-wheel" size={15} strokeWidth={2.2} aria-hidden="true" />}
          {look ? 'Connect and try it' : 'Look for models'}
        </button>
      </Foot>
    </form>
  );
}

/** What is known of the server that is kept. */
const wordsBefore = (server: EnteredServer): string =>
  server.address === null || !server.trials.answers ? '' : `${server.model}: ${trialVerdict(server)}`;

/** What somebody enters, what the server says of it, and what is done with it, one thing at a time. */
function useEntering(server: EnteredServer, onEntered: () => void) {
  const { store } = useAssistantTools();
  const [address, setAddress] = useState(server.address ?? '');
  const [key, setKey] = useState('');
  const [place, setPlace] = useState('');
  const [look, setLook] = useState<ServerLook | null>(null);
  const [model, setModel] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const run = async (call: () => Promise<unknown>) => {
    if (busy) return;
    setBusy(true);
    setError('');
    try {
      await call();
    } catch (failure) {
      setError(refusalWords(failure));
    } finally {
      setBusy(false);
    }
  };
  const startAnew = (text: string) => {
    setAddress(text);
    setKey(''); // one server's key is not sent to another
    setLook(null);
    setPlace('');
    setError('');
  };
  const lookAt = async () => {
    const found = await lookAtServer(address.trim(), key.trim());
    setPlace(placeWords(found.address, found.ip_addresses));
    if (!found.check.ok) return setError(found.check.detail);
    setLook(found);
    setModel(found.models.find((one) => one === server.model) ?? found.models[0] ?? '');
  };
  const enter = async ({ address }: ServerLook) => {
    await store.take(await enterServer(address, model.trim(), key.trim()));
    onEntered();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (address.trim() === '') return setError('Enter an address.');
    if (look && model.trim() === '') return setError('Name a model.');
    void run(() => (look ? enter(look) : lookAt()));
  };
  const forget = () =>
    void run(async () => {
      await store.take(await forgetServer());
      startAnew('');
    });
  return {
    address,
    key,
    place,
    look,
    model,
    busy,
    error,
    setAddress: startAnew,
    setKey,
    setModel,
    submit,
    forget,
  };
}

interface ModelFieldProps {
  names: readonly string[];
  model: string;
  onChoose: (model: string) => void;
}

/** A choice of the models that are listed; a field for a name where none is. */
function ModelField({ names, model, onChoose }: ModelFieldProps) {
  if (names.length === 0)
    return (
      <Field label="Model" hint="The server lists none: write its name as the server knows it.">
        {(wiring) => <input {...wiring} value={model} onChange={(event) => onChoose(event.target.value)} />}
      </Field>
    );
  return (
    <Field label="Model" hint="It has to call tools, or it cannot edit. That is tried next.">
      {(wiring) => (
        <Select
          {...wiring}
          value={model}
          choices={names.map((name) => ({ value: name, text: name }))}
          onChoose={onChoose}
        />
      )}
    </Field>
  );
}

/** Makes one step after the other as long as the dialog is open, and shows what came of each. */
function Trial({
  server,
  onBack,
  onClose,
}: {
  server: EnteredServer;
  onBack: () => void;
  onClose: () => void;
}) {
  const { running, error } = useTrial();
  const isOver = running === null;
  const first = useRef<HTMLParagraphElement>(null);
  useEffect(() => first.current?.focus(), []);
  return (
    <>
      <p className="dialog-text" ref={first} tabIndex={-1}>
        {server.model} at {server.address} is connected. Nothing of your work is sent to try it.
      </p>
      <ol className="trial-steps" aria-label="Trying it">
        {trialRows(server, running).map((row) => (
          <TrialLine key={row.step} row={row} />
        ))}
      </ol>
      {error !== '' && (
        <p className="banner" role="alert">
          {error}
        </p>
      )}
      <p role="status" className="dialog-text">
        {isOver && error === ''
          ? trialVerdict(server)
          : 'This may take a few minutes; you can close this any time.'}
      </p>
      <Foot onClose={onClose} closes={isOver ? 'Done' : 'Close'}>
        <button type="button" className="button" onClick={onBack}>
          Choose another
        </button>
      </Foot>
    </>
  );
}

function useTrial(): { running: TrialStep | null; error: string } {
  const { store } = useAssistantTools();
  const [running, setRunning] = useState<TrialStep | null>(TRIAL_STEPS[0] ?? null);
  const [error, setError] = useState('');
  const tools = useRef(store);
  useEffect(() => {
    const left = new AbortController();
    const tryAll = async () => {
      for (let step: TrialStep | null = TRIAL_STEPS[0] ?? null; step !== null; ) {
        setRunning(step);
        const answer = await tryServer(step, left.signal);
        await tools.current.take(answer);
        step = answer.server && !left.signal.aborted ? stepAfter(answer.server, step) : null;
      }
    };
    tryAll()
      .catch((failure: unknown) => {
        if (!left.signal.aborted) setError(refusalWords(failure));
      })
      .finally(() => {
        if (!left.signal.aborted) setRunning(null);
      });
    return () => left.abort();
  }, []);
  return { running, error };
}

const SIGNS = {
  good: CircleCheck,
  bad: CircleX,
  waiting: CircleMinus,
  skipped: CircleMinus,
  running: LoaderCircle,
};
const STATES = { good: 'yes', bad: 'no', waiting: 'not yet', skipped: 'not tried', running: 'being tried' };

function TrialLine({ row: { name, state, detail } }: { row: TrialRow }) {
  const Sign = SIGNS[state];
  return (
    <li data-state={state}>
      <Sign
        className={state === 'running' ? 'running-wheel' : undefined}
        size={15}
        strokeWidth={2}
        aria-hidden="true"
      />
      <span>
        {name}: {STATES[state]}
        {detail !== '' && <span className="field-hint">{detail}</span>}
      </span>
    </li>
  );
}

function Foot({
  onClose,
  closes = 'Cancel',
  children,
}: {
  onClose: () => void;
  closes?: string;
  children?: ReactNode;
}) {
  return (
    <footer className="dialog-foot">
      <button type="button" className="button" onClick={onClose}>
        {closes}
      </button>
      {children}
    </footer>
  );
}
