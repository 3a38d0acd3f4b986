/**
 * “Connect your agent”: for each program what it is given, with this server's address and a key that is made here; and
 * the keys that exist. Not here: the words of each program (`model/words/agentPrograms.ts`).
 */
import '../styles/connect-agent.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Check, CircleCheck, Copy, KeyRound } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import {
  AGENT_ROLES,
  type AgentRole,
  keyNameFor,
  NO_KEY,
  PROGRAMS,
  type ProgramId,
  repositoryLines,
  snippetOf,
} from '../../model/words/agentPrograms';
import type { NewKey } from '../../protocol/access';
import * as api from '../../protocol/access';
import { ROOT_PATH } from '../../protocol/root';
import { errorSentences } from '../../sync/words/errors';
import { useMe } from '../queries';
import { Field } from '../ui/field/Field';
import { Select } from '../ui/field/Select';
import { Dialog } from '../ui/overlay/Dialog';
import { KeyList, useOwnKeys } from './KeyList';

interface Props {
  /** The address of the open workspace; null where none is open. */
  design: string | null;
  onClose: () => void;
}

export function ConnectAgentDialog({ design, onClose }: Props) {
  const [program, setProgram] = useState<ProgramId>('claude-code');
  const [made, setMade] = useState<NewKey | null>(null);
  const me = useMe().data;
  const isLocal = me?.mode === 'local';
  const mayHaveKeys = isLocal || me?.signed_in === true;
  const base = `${window.location.origin}${ROOT_PATH}`;
  const snippet = snippetOf(program, base, made?.key ?? (isLocal ? null : NO_KEY));
  return (
    <Dialog title="Connect your agent" onClose={onClose} className="connect-agent">
      <div className="dialog-form">
        <p className="dialog-text">
          An agent in your own program reads and edits diagram and document beside you. What it does is
          checked against what it has read, seen by everybody and undone like your own; it cannot overwrite
          what it has not read, and deletions and large changes wait for somebody’s yes.
        </p>
        <Field label="Program">
          {(wiring) => (
            <Select {...wiring} value={program} choices={PROGRAMS} onChoose={setProgram} data-autofocus />
          )}
        </Field>
        {me && (
          <Part title={isLocal ? 'A key, so that it works for you' : 'A key'}>
            {isLocal && !made && (
              <p className="access-hint">
                On this machine an agent needs no key, and then works as itself. With a key it works for you:
                its changes are yours to undo.
              </p>
            )}
            {made && <NewKeyStatus made={made} />}
            {!made && mayHaveKeys && <AgentKey program={program} onMade={setMade} />}
            {!mayHaveKeys && (
              <p className="access-hint">
                Sign in to make a key. Where you have opened a share link alone, agents cannot work for you.
              </p>
            )}
          </Part>
        )}
        <Part title="For the program">
          <p className="access-hint">{snippet.where}</p>
          <CopyableText label="what the program is given" text={snippet.text} />
          {snippet.needs && <p className="access-hint">{snippet.needs}</p>}
          {!made && !isLocal && <p className="access-hint">Put a key in place of {NO_KEY}.</p>}
          <p className="access-hint">
            Then ask it: “Read {design ? 'the design at ' : 'my designs in Draftsmith'}
            {design && <span className="agent-address">{design}</span>} and tell me what is unclear.”
          </p>
        </Part>
        <details className="agent-repository">
          <summary>For a repository: lines for its AGENTS.md</summary>
          <p className="access-hint">So that every agent reads the design first, and keeps it up to date.</p>
          <CopyableText label="the lines for AGENTS.md" text={repositoryLines(design)} />
        </details>
        {mayHaveKeys && <OwnKeys onRevoked={(id) => id === made?.id && setMade(null)} />}
        <footer className="dialog-foot">
          <button type="button" className="button primary" onClick={onClose}>
            Done
          </button>
        </footer>
      </div>
    </Dialog>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="agent-part" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  );
}

/** How often it is looked whether the agent has come. */
const POLL_MS = 4000;

/** The new key stands in the text below; whether somebody has come with it. */
function NewKeyStatus({ made }: { made: NewKey }) {
  const [isSeen, setIsSeen] = useState(false);
  const keys = useOwnKeys(isSeen ? false : POLL_MS);
  const isUsed = keys.data?.some(({ id, used_at }) => id === made.id && used_at !== null) ?? false;
  if (isUsed && !isSeen) setIsSeen(true);
  return (
    <p className="agent-made" role="status" data-used={isUsed}>
      <CircleCheck size={16} strokeWidth={2} aria-hidden="true" />
      <span>
        <strong>{made.name}</strong>:{' '}
        {isUsed
          ? 'your agent is connected.'
          : 'the key stands in the text below, and is shown only now. Waiting for the agent…'}
      </span>
    </p>
  );
}

function OwnKeys({ onRevoked }: { onRevoked: (id: string) => void }) {
  const id = useId();
  return (
    <section className="agent-part" aria-labelledby={id}>
      <h3 id={id}>Your keys</h3>
      <p className="access-hint">
        A key never allows more than you may do yourself; revoked, it is worth nothing at once.
      </p>
      <KeyList labelledBy={id} onRevoked={onRevoked} />
    </section>
  );
}

const LIFETIMES = [
  { value: 'never', text: 'Never', days: null },
  { value: 'month', text: 'In 30 days', days: 30 },
  { value: 'quarter', text: 'In 90 days', days: 90 },
  { value: 'year', text: 'In a year', days: 365 },
] as const;

type Lifetime = (typeof LIFETIMES)[number]['value'];

interface AgentKeyProps {
  program: ProgramId;
  onMade: (key: api.NewKey) => void;
}

/** Makes a key for an agent on the spot: its name, what it may do, when it ends. Its secret is handed up, and kept nowhere. */
function AgentKey({ program, onMade }: AgentKeyProps) {
  const cache = useQueryClient();
  const [named, setNamed] = useState<string | null>(null);
  const [role, setRole] = useState<AgentRole>('editor');
  const [life, setLife] = useState<Lifetime>('never');
  const name = named ?? keyNameFor(program, navigator.userAgent);
  const create = useMutation({
    mutationFn: () =>
      api.createKey(name.trim(), role, LIFETIMES.find(({ value }) => value === life)?.days ?? null),
    onSuccess: (key) => {
      onMade(key);
      void cache.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() && !create.isPending) create.mutate();
  };
  return (
    <form className="agent-key" onSubmit={submit}>
      <Field
        label="Name of the key"
        hint="Others see it: “name · for you”."
        error={create.isError ? errorSentences(create.error) : undefined}
      >
        {(wiring) => (
          <input
            {...wiring}
            name="agent-key-name"
            autoComplete="off"
            maxLength={80}
            value={name}
            onChange={(event) => setNamed(event.target.value)}
          />
        )}
      </Field>
      <Field label="What it may do" hint={AGENT_ROLES.find(({ value }) => value === role)?.means}>
        {(wiring) => <Select {...wiring} value={role} choices={AGENT_ROLES} onChoose={setRole} />}
      </Field>
      <Field label="Ends">
        {(wiring) => <Select {...wiring} value={life} choices={LIFETIMES} onChoose={setLife} />}
      </Field>
      <button type="submit" className="button" aria-disabled={!name.trim() || create.isPending}>
        <KeyRound size={16} strokeWidth={1.9} aria-hidden="true" />
        Create key
      </button>
    </form>
  );
}

interface CopyableTextProps {
  /** What it is, for screen readers. */
  label: string;
  text: string;
}

const CONFIRMED_MS = 2500;

/** Text to be taken elsewhere: shown as it is, with a button that copies it. */
function CopyableText({ label, text }: CopyableTextProps) {
  const [state, setState] = useState<'' | 'copied' | 'failed'>('');
  const block = useRef<HTMLPreElement>(null);
  useEffect(() => {
    if (state !== 'copied') return;
    const timer = setTimeout(() => setState(''), CONFIRMED_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState('copied');
    } catch {
      // Where a browser gives no clipboard, the text is selected for the keys.
      if (block.current) window.getSelection()?.selectAllChildren(block.current);
      setState('failed');
    }
  };
  const Icon = state === 'copied' ? Check : Copy;
  return (
    <div className="copied">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it. */}
      <pre ref={block} aria-label={label} role="region" tabIndex={0}>
        {text}
      </pre>
      <button type="button" className="button small" aria-label={`Copy ${label}`} onClick={() => void copy()}>
        <Icon size={14} strokeWidth={2} aria-hidden="true" />
        {state === 'copied' ? 'Copied' : 'Copy'}
      </button>
      <p className={state === 'failed' ? 'field-hint' : 'visually-hidden'} role="status">
        {state === 'copied' && 'Copied'}
        {state === 'failed' && 'This browser gives no clipboard here: it is selected, copy it by key.'}
      </p>
    </div>
  );
}
