/** One's keys for programs and agents: what each may do, when it was used last, when it ends; revoked at once. */
import '../styles/access.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { agentRoleText } from '../../model/words/agentPrograms';
import * as api from '../../protocol/access';
import { errorSentences } from '../../sync/words/errors';
import { useMe } from '../queries';
import { useToasts } from '../ui/overlay/Toasts';
import { ago } from '../ui/time';

const KEYS = ['keys'];

/** The keys of oneself. `every`: read again after so many milliseconds; false for once. */
export function useOwnKeys(every: number | false = false) {
  const me = useMe().data?.id;
  return useQuery({
    queryKey: KEYS,
    queryFn: ({ signal }) => api.listKeys(signal),
    refetchInterval: every,
    // Administrators are told of the keys of nobody, too.
    select: (keys) => keys.filter(({ person }) => person === me),
  });
}

interface Props {
  /** Id of its heading. */
  labelledBy: string;
  onRevoked?: (id: string) => void;
}

export function KeyList({ labelledBy, onRevoked }: Props) {
  const keys = useOwnKeys();
  if (keys.isError)
    return (
      <p className="access-hint" role="alert">
        {errorSentences(keys.error)}
      </p>
    );
  if (keys.data?.length === 0) return <p className="access-hint">You have no keys yet.</p>;
  return (
    <ul className="access-list" aria-labelledby={labelledBy}>
      {keys.data?.map((key) => (
        <KeyRow key={key.id} of={key} onRevoked={onRevoked} />
      ))}
    </ul>
  );
}

function KeyRow({ of: { id, name, role, used_at, until }, onRevoked }: { of: api.ApiKey } & RowProps) {
  const toasts = useToasts();
  const cache = useQueryClient();
  const [isSure, setIsSure] = useState(false);
  const revoke = useMutation({
    mutationFn: () => api.revokeKey(id),
    onSuccess: () => onRevoked?.(id),
    onSettled: () => cache.invalidateQueries({ queryKey: KEYS }),
    onError: toasts.showError,
  });
  const facts = [agentRoleText(role), used_at ? `used ${ago(used_at)}` : 'never used', ending(until)];
  return (
    <li data-key={id}>
      <span>
        {name}
        <small>{facts.filter(Boolean).join(' · ')}</small>
      </span>
      <button
        type="button"
        className={`button small${isSure ? ' bad' : ''}`}
        aria-label={isSure ? `Yes, revoke ${name}` : `Revoke ${name}`}
        disabled={revoke.isPending}
        onBlur={() => setIsSure(false)}
        onClick={() => (isSure ? revoke.mutate() : setIsSure(true))}
      >
        {isSure ? 'Yes, revoke' : 'Revoke'}
      </button>
    </li>
  );
}

type RowProps = { onRevoked: Props['onRevoked'] };

function ending(at: string | null): string {
  if (at === null) return '';
  const day = new Date(at).toLocaleDateString(undefined, { dateStyle: 'medium' });
  return Date.parse(at) <= Date.now() ? `ended ${day}` : `ends ${day}`;
}
