/** The sessions and API keys of the person. Only in token mode, for people who are signed in. */
import '../styles/access.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, LogOut } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { deviceText } from '../../model/words/device';
import * as api from '../../protocol/access';
import { useMe } from '../queries';
import { NewSecret } from '../ui/field/NewSecret';
import { useToasts } from '../ui/overlay/Toasts';
import { ago, exactly } from '../ui/time';
import { KeyList } from './KeyList';

export function AccountSettings() {
  return (
    <>
      <OwnId />
      <Sessions />
      <Keys />
    </>
  );
}

/** With it others give one a role by name. */
function OwnId() {
  const me = useMe().data;
  return (
    <div className="setting">
      <p className="setting-name">Your id</p>
      <p>
        <code className="own-id">{me?.id}</code>
      </p>
      <p className="access-hint">With it an owner of a workspace or a folder gives you access to it.</p>
    </div>
  );
}

function Sessions() {
  const toasts = useToasts();
  const cache = useQueryClient();
  const sessions = useQuery({ queryKey: ['sessions'], queryFn: ({ signal }) => api.listSessions(signal) });
  const end = useMutation({
    mutationFn: api.endSession,
    onSettled: () => cache.invalidateQueries({ queryKey: ['sessions'] }),
    onError: toasts.showError,
  });
  const everywhere = useMutation({
    mutationFn: api.signOutEverywhere,
    onSuccess: () => window.location.reload(),
    onError: toasts.showError,
  });
  return (
    <div className="setting">
      <p className="setting-name" id="settings-sessions">
        Where you are signed in
      </p>
      <ul className="access-list" aria-labelledby="settings-sessions">
        {sessions.data?.map((session) => (
          <li key={session.id}>
            <span>
              {deviceText(session.device)}
              <small title={exactly(session.created_at)}>
                {session.current ? 'This browser' : `Since ${ago(session.created_at)}`}
              </small>
            </span>
            {!session.current && (
              <button
                type="button"
                className="button small"
                aria-label={`Sign out ${deviceText(session.device)}`}
                disabled={end.isPending}
                onClick={() => end.mutate(session.id)}
              >
                Sign out
              </button>
            )}
          </li>
        ))}
      </ul>
      <div className="setting-actions">
        <button
          type="button"
          className="button"
          disabled={everywhere.isPending}
          onClick={() => everywhere.mutate()}
        >
          <LogOut size={16} strokeWidth={1.9} aria-hidden="true" />
          Sign out everywhere
        </button>
      </div>
    </div>
  );
}

function Keys() {
  const toasts = useToasts();
  const cache = useQueryClient();
  const [name, setName] = useState('');
  const [made, setMade] = useState<string | null>(null);
  const refresh = () => cache.invalidateQueries({ queryKey: ['keys'] });
  const create = useMutation({
    mutationFn: (chosen: string) => api.createKey(chosen),
    onSuccess: ({ key }) => {
      setMade(key);
      setName('');
      void refresh();
    },
    onError: toasts.showError,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim()) create.mutate(name.trim());
  };
  return (
    <div className="setting">
      <p className="setting-name" id="settings-keys">
        Keys for programs
      </p>
      <p className="setting-note">A program with a key acts as you, with what you may do.</p>
      <KeyList labelledBy="settings-keys" />
      <form className="access-new" onSubmit={submit}>
        <input
          aria-label="What the key is for"
          placeholder="What it is for"
          maxLength={80}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <button type="submit" className="button" disabled={!name.trim() || create.isPending}>
          <KeyRound size={16} strokeWidth={1.9} aria-hidden="true" />
          Create key
        </button>
      </form>
      {made && (
        <NewSecret
          label="The new key, shown once"
          secret={made}
          copied="The key was copied"
          hint="It is shown only now: keep it where the program finds it."
        />
      )}
    </div>
  );
}
