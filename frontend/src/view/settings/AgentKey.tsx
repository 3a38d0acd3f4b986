/** Makes a key for an agent on the spot: its name, what it may do, when it ends. Its secret is handed up, and kept nowhere. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { AGENT_ROLES, type AgentRole, keyNameFor, type ProgramId } from '../../model/words/agentPrograms';
import * as api from '../../protocol/access';
import { explainError } from '../../sync/words/errors';
import { Field } from '../ui/field/Field';
import { Select } from '../ui/field/Select';

const LIVES = [
  { value: 'never', text: 'Never', days: null },
  { value: 'month', text: 'In 30 days', days: 30 },
  { value: 'quarter', text: 'In 90 days', days: 90 },
  { value: 'year', text: 'In a year', days: 365 },
] as const;

type Life = (typeof LIVES)[number]['value'];

interface Props {
  program: ProgramId;
  onMade: (key: api.NewKey) => void;
}

export function AgentKey({ program, onMade }: Props) {
  const cache = useQueryClient();
  const [named, setNamed] = useState<string | null>(null);
  const [role, setRole] = useState<AgentRole>('editor');
  const [life, setLife] = useState<Life>('never');
  const name = named ?? keyNameFor(program, navigator.userAgent);
  const create = useMutation({
    mutationFn: () =>
      api.createKey(name.trim(), role, LIVES.find(({ value }) => value === life)?.days ?? null),
    onSuccess: (key) => {
      onMade(key);
      void cache.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() && !create.isPending) create.mutate();
  };
  const { title, advice } = create.isError ? explainError(create.error) : { title: '', advice: '' };
  return (
    <form className="agent-key" onSubmit={submit}>
      <Field
        label="Name of the key"
        hint="Others see it: “name · for you”."
        error={create.isError ? `${title}. ${advice}` : undefined}
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
        {(wiring) => <Select {...wiring} value={life} choices={LIVES} onChoose={setLife} />}
      </Field>
      <button type="submit" className="button" aria-disabled={!name.trim() || create.isPending}>
        <KeyRound size={16} strokeWidth={1.9} aria-hidden="true" />
        Create key
      </button>
    </form>
  );
}
