/** Share links of a workspace, to its pictures, too: make, copy once, list, revoke. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link2 } from 'lucide-react';
import { useId, useState } from 'react';
import { LINK_ROLES, roleText } from '../../model/words/roles';
import * as api from '../../protocol/access';
import { useEditorContext } from '../context/EditorContext';
import { NewSecret } from '../ui/field/NewSecret';
import { Select } from '../ui/field/Select';
import { useToasts } from '../ui/overlay/Toasts';
import { hoursOf, LINK_LIVES, type LinkLife } from './linkLives';

type LinkRole = (typeof LINK_ROLES)[number]['value'];

export function ShareLinks() {
  const { id } = useEditorContext();
  const cache = useQueryClient();
  const toasts = useToasts();
  const headingId = useId();
  const key = ['shares', id];
  const list = useQuery({ queryKey: key, queryFn: ({ signal }) => api.listShares(id, signal) });
  const [role, setRole] = useState<LinkRole>('viewer');
  const [life, setLife] = useState<LinkLife>('never');
  const [made, setMade] = useState<string | null>(null);
  const refresh = () => cache.invalidateQueries({ queryKey: key });
  const create = useMutation({
    mutationFn: () => api.createShare(id, role, hoursOf(life)),
    onSuccess: ({ url }) => {
      setMade(url);
      void refresh();
    },
    onError: toasts.showError,
  });
  return (
    <section aria-labelledby={headingId}>
      <h3 id={headingId}>Share links</h3>
      <p className="access-hint">Whoever has a link has its role here, without signing in.</p>
      <div className="access-new">
        <Select aria-label="Role of the link" value={role} choices={LINK_ROLES} onChoose={setRole} />
        <Select aria-label="When the link ends" value={life} choices={LINK_LIVES} onChoose={setLife} />
        <button type="button" className="button" disabled={create.isPending} onClick={() => create.mutate()}>
          <Link2 size={16} strokeWidth={1.9} aria-hidden="true" />
          Create link
        </button>
      </div>
      {made && (
        <NewSecret
          label="The new link, shown once"
          secret={made}
          copied="The link was copied"
          hint="Copy it now: it is not shown again."
        />
      )}
      {list.data?.length === 0 && !made && <p className="access-hint">There are no links yet.</p>}
      <ul className="access-list">
        {list.data?.map((link) => (
          <LinkRow key={link.id} link={link} onRevoked={refresh} />
        ))}
      </ul>
    </section>
  );
}

function LinkRow({ link, onRevoked }: { link: api.ShareLink; onRevoked: () => Promise<void> }) {
  const { id } = useEditorContext();
  const toasts = useToasts();
  const [isSure, setIsSure] = useState(false);
  const revoke = useMutation({
    mutationFn: () => api.revokeShare(id, link.id),
    onSettled: onRevoked,
    onError: toasts.showError,
  });
  const gives = shownText(link.picture) ?? roleText(link.role);
  const what = `link of ${link.made_by}, ${gives.toLowerCase()}`;
  return (
    <li>
      <span>
        {gives} · made by {link.made_by}
        <small>{[used(link.used_at), ends(link.until)].filter(Boolean).join(' · ')}</small>
      </span>
      <button
        type="button"
        className={`button small${isSure ? ' bad' : ''}`}
        aria-label={isSure ? `Yes, revoke the ${what}` : `Revoke the ${what}`}
        disabled={revoke.isPending}
        onBlur={() => setIsSure(false)}
        onClick={() => (isSure ? revoke.mutate() : setIsSure(true))}
      >
        {isSure ? 'Yes, revoke' : 'Revoke'}
      </button>
    </li>
  );
}

/** What a link to a picture shows, in words; null for one that gives a role. */
function shownText(picture: api.ShareLink['picture']): string | null {
  if (picture === null) return null;
  const count = picture.nodes.length;
  const of =
    picture.section ?? (count > 0 ? `${count} ${count === 1 ? 'node' : 'nodes'}` : 'the whole diagram');
  return `Picture of ${of}`;
}

const day = (at: string): string => new Date(at).toLocaleDateString(undefined, { dateStyle: 'medium' });
const used = (at: string | null): string => (at === null ? 'Never used' : `Last used ${day(at)}`);
const ends = (at: string | null): string => (at === null ? '' : `ends ${day(at)}`);
