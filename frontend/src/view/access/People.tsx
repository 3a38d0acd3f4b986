/** The roles of people in a workspace or folder: its own, and those inherited from folders around it. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Folder as FolderIcon } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { LINK_ROLES, ROLES, type RoleName, roleText } from '../../model/words/roles';
import type { WorkspaceAccess } from '../../protocol/access';
import type { FolderAccess, Inherited } from '../../protocol/folders';
import { Select } from '../ui/field/Select';
import { useToasts } from '../ui/overlay/Toasts';

const NOBODY = 'none';
const EVERYONE = [{ value: NOBODY, text: 'No access' }, ...LINK_ROLES] as const;

type Access = WorkspaceAccess | FolderAccess;
type LinkRole = (typeof LINK_ROLES)[number]['value'];

/** What is written; each answers who may what then. A role of null takes it away. */
export interface Writes<A extends Access> {
  member: (person: string, role: RoleName | null) => Promise<A>;
  group: (group: string, role: RoleName | null) => Promise<A>;
  everyone: (role: LinkRole | null) => Promise<A>;
  transfer: (person: string) => Promise<A>;
}

interface Props<A extends Access> {
  access: A;
  writes: Writes<A>;
  /** Where the access is kept among what was read. */
  queryKey: readonly unknown[];
  /** What an owner can change beside. */
  options?: (change: (write: () => Promise<A>) => void, isBusy: boolean) => ReactNode;
}

export function People<A extends Access>({ access, writes, queryKey, options }: Props<A>) {
  const cache = useQueryClient();
  const toasts = useToasts();
  const headingId = useId();
  const change = useMutation({
    mutationFn: (write: () => Promise<A>) => write(),
    onSuccess: (now) => cache.setQueryData(queryKey, now),
    onError: toasts.showError,
  });
  const isOwner = access.role === 'owner';
  const setRole = (person: string, role: RoleName | 'remove') =>
    change.mutate(() => {
      if (role === 'owner') return writes.transfer(person);
      return writes.member(person, role === 'remove' ? null : role);
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
            {isOwner ? (
              <Select
                aria-label={`Role of the group ${group.name}`}
                value={group.role as RoleName | 'remove'}
                choices={[...LINK_ROLES, ...isOwning(group.role), { value: 'remove', text: 'Remove' }]}
                disabled={change.isPending}
                onChoose={(role) =>
                  change.mutate(() => writes.group(group.name, role === 'remove' ? null : role))
                }
              />
            ) : (
              <span className="access-role">{roleText(group.role)}</span>
            )}
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
                change.mutate(() => writes.everyone(role === NOBODY ? null : (role as LinkRole)))
              }
            />
          ) : (
            <span className="access-role">{access.everyone ? roleText(access.everyone) : 'No access'}</span>
          )}
        </li>
      </ul>
      {isOwner && (
        <NewRole
          isBusy={change.isPending}
          onAdd={(name, role, onDone) =>
            change.mutate(
              () => (IS_PRINCIPAL.test(name) ? writes.member(name, role) : writes.group(name, role)),
              { onSuccess: onDone },
            )
          }
        />
      )}
      {access.inherited.map((folder) => (
        <FromFolder key={folder.id} folder={folder} />
      ))}
      {isOwner ? (
        options?.(change.mutate, change.isPending)
      ) : (
        <p className="access-hint">
          You: {roleText(access.role).toLowerCase()}. An owner decides who may what.
        </p>
      )}
    </section>
  );
}

/** An owning group is shown as one; from here a group is given less. */
const isOwning = (role: RoleName) => (role === 'owner' ? ROLES.slice(3) : []);

/** Ids of people and keys; anything else names a group. */
const IS_PRINCIPAL = /^(user|key|app):\S+$/;

interface NewRoleProps {
  isBusy: boolean;
  onAdd: (name: string, role: LinkRole, onDone: () => void) => void;
}

function NewRole({ isBusy, onAdd }: NewRoleProps) {
  const hintId = useId();
  const [name, setName] = useState('');
  const [role, setRole] = useState<LinkRole>('viewer');
  const wanted = name.trim();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (wanted && !isBusy) onAdd(wanted, role, () => setName(''));
      }}
    >
      <div className="access-new">
        <input
          aria-label="Group or person"
          aria-describedby={hintId}
          placeholder="Group, or id of a person"
          value={name}
          maxLength={200}
          onChange={(event) => setName(event.target.value)}
        />
        <Select aria-label="Role to give" value={role} choices={LINK_ROLES} onChoose={setRole} />
        <button type="submit" className="button" disabled={!wanted || isBusy}>
          Add
        </button>
      </div>
      <p id={hintId} className="access-hint">
        A group is called as your sign-in calls it. The id of a person begins with “user:”; everybody finds
        their own in Settings.
      </p>
    </form>
  );
}

/** What a folder gives: it is changed there, not here. */
function FromFolder({ folder }: { folder: Inherited }) {
  const headingId = useId();
  const grants = [
    {
      key: 'owner',
      name: folder.owner?.name ?? 'Administrators of this server',
      role: 'owner',
    },
    ...folder.members.map(({ id, name, role }) => ({ key: id, name, role })),
    ...folder.groups.map(({ name, role }) => ({ key: `group ${name}`, name: `Group ${name}`, role })),
    ...(folder.everyone
      ? [{ key: 'everyone', name: 'Everybody who is signed in', role: folder.everyone }]
      : []),
  ];
  return (
    <div className="access-inherited">
      <h4 id={headingId}>
        <FolderIcon size={15} strokeWidth={1.9} aria-hidden="true" />
        From the folder “{folder.name}”
      </h4>
      <ul className="access-list" aria-labelledby={headingId}>
        {grants.map(({ key, name, role }) => (
          <li key={key}>
            <span>{name}</span>
            <span className="access-role">{roleText(role)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
