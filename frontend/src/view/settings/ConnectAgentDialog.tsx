/**
 * “Connect your agent”: for each program what it is given, with this server's address and a key that is made here; and
 * the keys that exist. Not here: the words of each program (`model/words/agentPrograms.ts`).
 */
import '../styles/connect-agent.css';
import { CircleCheck } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import {
  NO_KEY,
  PROGRAMS,
  type ProgramId,
  repositoryLines,
  snippetOf,
} from '../../model/words/agentPrograms';
import type { NewKey } from '../../protocol/access';
import { ROOT_PATH } from '../../protocol/root';
import { useMe } from '../queries';
import { Field } from '../ui/field/Field';
import { Select } from '../ui/field/Select';
import { Dialog } from '../ui/overlay/Dialog';
import { AgentKey } from './AgentKey';
import { Copied } from './Copied';
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
            {made && <Made made={made} />}
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
          <Copied label="what the program is given" text={snippet.text} />
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
          <Copied label="the lines for AGENTS.md" text={repositoryLines(design)} />
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
const LOOKS_AGAIN_MS = 4000;

/** The new key stands in the text below; whether somebody has come with it. */
function Made({ made }: { made: NewKey }) {
  const [isSeen, setIsSeen] = useState(false);
  const keys = useOwnKeys(isSeen ? false : LOOKS_AGAIN_MS);
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
