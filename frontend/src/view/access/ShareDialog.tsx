/** Who may what in this workspace, and share links to it. */
import '../styles/access.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Bot } from 'lucide-react';
import { useId } from 'react';
import { LINK_ROLES, ROLES, type RoleName, roleText } from '../../model/words/roles';
import * as api from '../../protocol/access';
import { explainError } from '../../sync/words/errors';
import { useEditorContext } from '../context/EditorContext';
import { useMe } from '../queries';
import { Dialog } from '../ui/Dialog';
import { Select } from '../ui/Select';
import { useToasts } from '../ui/Toasts';
import { AuditList } from './AuditList';
import { ShareLinks } from './ShareLinks';

const NOBODY = 'none';
const EVERYONE = [{ value: NOBODY, text: 'No access' }, ...LINK_ROLES] as const;

export function ShareDialog({ onClose }: { onClose: () => void }) {
  const { id, ui } = useEditorContext();
  const me = useMe().data;
  const isLocal = me?.mode === 'local';
  const access = useQuery({
    queryKey: ['access', id],
    queryFn: ({ signal }) => api.readAccess(id, signal),
    enabled: me !== undefined && !isLocal,
  });
  return (
    <Dialog title="Share" onClose={onClose} className="share-dialog">
      <div className="dialog-text">
        {isLocal && <LocalWords />}
        {access.isError && <p role="alert">{explainError(access.error).title}</p>}
        {access.data && <People access={access.data} />}
        {access.data?.role === 'owner' && (
          <>
            <ShareLinks />
            <AuditList />
          </>
        )}
      </div>
      <footer className="dialog-foot">
        <button
          type="button"
          className="button share-agent"
          onClick={() => ui.set({ dialog: { kind: 'connect-agent' } })}
        >
          <Bot size={16} strokeWidth={1.9} aria-hidden="true" />
          Connect your agent…
        </button>
        <button type="button" className="button primary" onClick={onClose}>
          Done
        </button>
      </footer>
    </Dialog>
  );
}

function LocalWords() {
  return (
    <>
      <p>
        <strong>Only this machine can open this address.</strong> Draftsmith runs here for you alone, and
        nobody has to sign in.
      </p>
      <p>
        To share workspaces, start it with <code>MODE=token</code>: everybody shows who they are, and links
        give exactly the role they say. Until then, Export makes a file that you can send.
      </p>
    </>
  );
}

function People({ access }: { access: api.WorkspaceAccess }) {
  const { id } = useEditorContext();
  const cache = useQueryClient();
  const toasts = useToasts();
  const headingId = useId();
  const change = useMutation({
    mutationFn: (write: () => Promise<api.WorkspaceAccess>) => write(),
    onSuccess: (now) => cache.setQueryData(['access', id], now),
    onError: toasts.showError,
  });
  const isOwner = access.role === 'owner';
  const setRole = (person: string, role: RoleName | 'remove') =>
    change.mutate(() => {
      if (role === 'owner') return api.transfer(id, person);
      return api.setMember(id, person, role === 'remove' ? null : role);
    });
  return (
    <section aria-labelledby={headingId}>
      <h3 id={headingId}>Who has access</h3>
      <ul className="access-list">
        <li>
          <span>{access.owner?.name ?? 'Administrators of this server'}</span>
          <span className="access-role">Owner</span>
        </li>
        {access.members.map((member) => (
          <li key={member.id}>
            <span>{member.name}</span>
            {isOwner ? (
              <Select
                aria-label={`Role of ${member.name}`}
                value={member.role as RoleName | 'remove'}
                choices={[...ROLES, { value: 'remove', text: 'Remove' }]}
                disabled={change.isPending}
                onChoose={(role) => setRole(member.id, role)}
              />
            ) : (
              <span className="access-role">{roleText(member.role)}</span>
            )}
          </li>
        ))}
        {access.groups.map((group) => (
          <li key={group.name}>
            <span>Group {group.name}</span>
            <span className="access-role">{roleText(group.role)}</span>
          </li>
        ))}
        <li>
          <span>Everybody who is signed in</span>
          {isOwner ? (
            <Select
              aria-label="Role of everybody who is signed in"
              value={access.everyone ?? NOBODY}
              choices={EVERYONE}
              disabled={change.isPending}
              onChoose={(role) =>
                change.mutate(() =>
                  api.setEveryone(id, role === NOBODY ? null : (role as 'viewer' | 'commenter' | 'editor')),
                )
              }
            />
          ) : (
            <span className="access-role">{access.everyone ? roleText(access.everyone) : 'No access'}</span>
          )}
        </li>
      </ul>
      {isOwner ? (
        <label className="access-option">
          <input
            type="checkbox"
            checked={access.shows_runs}
            disabled={change.isPending}
            onChange={(event) => {
              const isShown = event.target.checked;
              change.mutate(() => api.setShowsRuns(id, isShown));
            }}
          />
          Everybody here sees what others asked the assistant
        </label>
      ) : (
        <p className="access-hint">
          You: {roleText(access.role).toLowerCase()}. An owner decides who may what.
        </p>
      )}
    </section>
  );
}
