/**
 * The dialog for who has access to this workspace: roles of people, share links, links to a picture of the diagram, and
 * what was changed of all that. Not here: the list of people (`People.tsx`), which folders have as well.
 */
import '../styles/access.css';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Bot, Image, Link2 } from 'lucide-react';
import { useId, useState } from 'react';
import { htmlImage, markdownImage, PICTURE_THEMES, type PictureTheme } from '../../model/export/pictureLink';
import { LINK_ROLES, roleText } from '../../model/words/roles';
import * as api from '../../protocol/access';
import { ROOT_PATH } from '../../protocol/root';
import { explainError } from '../../sync/words/errors';
import { useEditorContext, useLive, useUiState } from '../context/EditorContext';
import { useMe } from '../queries';
import { NewSecret } from '../ui/field/NewSecret';
import { Select } from '../ui/field/Select';
import { Dialog } from '../ui/overlay/Dialog';
import { useToasts } from '../ui/overlay/Toasts';
import { ago, exactly } from '../ui/time';
import { People } from './People';

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
      <div className="dialog-form">
        <div className="dialog-text">
          {isLocal && <LocalNotice />}
          {access.isError && <p role="alert">{explainError(access.error).title}</p>}
          {access.data && (
            <People
              access={access.data}
              queryKey={['access', id]}
              writes={{
                member: (person, role) => api.setMember(id, person, role),
                group: (group, role) => api.setGroup(id, group, role),
                everyone: (role) => api.setEveryone(id, role),
                transfer: (person) => api.transfer(id, person),
              }}
              options={(change, isBusy) => (
                <label className="access-option">
                  <input
                    type="checkbox"
                    checked={access.data.shows_runs}
                    disabled={isBusy}
                    onChange={(event) => {
                      const isShown = event.target.checked;
                      change(() => api.setShowsRuns(id, isShown));
                    }}
                  />
                  Everybody here sees what others asked the assistant
                </label>
              )}
            />
          )}
          {access.data?.role === 'owner' && (
            <>
              <ShareLinks />
              <PictureLink />
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
      </div>
    </Dialog>
  );
}

function LocalNotice() {
  return (
    <>
      <p>
        <strong>Only this machine can open this address.</strong> Draftsmith runs here for you alone, and
        nobody has to sign in.
      </p>
      <p>
        To share workspaces, start it with <code>DRAFTSMITH_MODE=token</code>: everybody shows who they are,
        and links give exactly the role they say. Until then, Export makes a file that you can send.
      </p>
    </>
  );
}

const DAY_HOURS = 24;

/** How long a link may live, in words. */
const LINK_LIFETIMES = [
  { value: 'never', text: 'Never ends', hours: null },
  { value: 'day', text: 'Ends in a day', hours: DAY_HOURS },
  { value: 'week', text: 'Ends in a week', hours: 7 * DAY_HOURS },
  { value: 'month', text: 'Ends in 30 days', hours: 30 * DAY_HOURS },
] as const;

type LinkLifetime = (typeof LINK_LIFETIMES)[number]['value'];

/** Hours until a link ends; null for never. */
const hoursOf = (lifetime: LinkLifetime): number | null =>
  LINK_LIFETIMES.find(({ value }) => value === lifetime)?.hours ?? null;

type LinkRole = (typeof LINK_ROLES)[number]['value'];

/** Share links of a workspace, to its pictures, too: make, copy once, list, revoke. */
function ShareLinks() {
  const { id } = useEditorContext();
  const cache = useQueryClient();
  const toasts = useToasts();
  const headingId = useId();
  const key = ['shares', id];
  const list = useQuery({ queryKey: key, queryFn: ({ signal }) => api.listShares(id, signal) });
  const [role, setRole] = useState<LinkRole>('viewer');
  const [lifetime, setLifetime] = useState<LinkLifetime>('never');
  const [made, setMade] = useState<string | null>(null);
  const refresh = () => cache.invalidateQueries({ queryKey: key });
  const create = useMutation({
    mutationFn: () => api.createShare(id, role, hoursOf(lifetime)),
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
        <Select
          aria-label="When the link ends"
          value={lifetime}
          choices={LINK_LIFETIMES}
          onChoose={setLifetime}
        />
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
  const gives = pictureText(link.picture) ?? roleText(link.role);
  const what = `link of ${link.made_by}, ${gives.toLowerCase()}`;
  return (
    <li>
      <span>
        {gives} · made by {link.made_by}
        <small>{[usedText(link.used_at), endText(link.until)].filter(Boolean).join(' · ')}</small>
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
function pictureText(picture: api.ShareLink['picture']): string | null {
  if (picture === null) return null;
  const count = picture.nodes.length;
  const of =
    picture.section ?? (count > 0 ? `${count} ${count === 1 ? 'node' : 'nodes'}` : 'the whole diagram');
  return `Picture of ${of}`;
}

const dayText = (at: string): string => new Date(at).toLocaleDateString(undefined, { dateStyle: 'medium' });
const usedText = (at: string | null): string => (at === null ? 'Never used' : `Last used ${dayText(at)}`);
const endText = (at: string | null): string => (at === null ? '' : `ends ${dayText(at)}`);

/** The address of a workspace, with the token of a link to its picture. */
const previewAddress = (id: string, url: string): string =>
  `${window.location.origin}${ROOT_PATH}/w/${id}${new URL(url).search}`;

/** A link to a picture of the diagram: what it shows, and what to paste into a wiki or a README. */
function PictureLink() {
  const { id } = useEditorContext();
  const cache = useQueryClient();
  const toasts = useToasts();
  const headingId = useId();
  const name = useLive((live) => live.name);
  const selected = useUiState(({ selection }) => selection.nodes);
  const [part, setPart] = useState<'all' | 'selection'>('all');
  const [lifetime, setLifetime] = useState<LinkLifetime>('never');
  const [theme, setTheme] = useState<PictureTheme>('light');
  const create = useMutation({
    mutationFn: () => api.createPictureLink(id, part === 'selection' ? [...selected] : [], hoursOf(lifetime)),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['shares', id] }),
    onError: toasts.showError,
  });
  const url = create.data?.url;
  const parts = [
    { value: 'all', text: 'The whole diagram' },
    ...(selected.size > 0 ? [{ value: 'selection', text: 'What is selected' } as const] : []),
  ] as const;
  return (
    <section aria-labelledby={headingId}>
      <h3 id={headingId}>Link to a picture</h3>
      <p className="access-hint">
        A wiki or a README shows the diagram as it is now. Whoever has the link sees the picture and nothing
        else.
      </p>
      <div className="access-new">
        <Select aria-label="What the picture shows" value={part} choices={parts} onChoose={setPart} />
        <Select
          aria-label="Colours of the picture"
          value={theme}
          choices={PICTURE_THEMES}
          onChoose={setTheme}
        />
        <Select
          aria-label="When the picture ends"
          value={lifetime}
          choices={LINK_LIFETIMES}
          onChoose={setLifetime}
        />
        <button type="button" className="button" disabled={create.isPending} onClick={() => create.mutate()}>
          <Image size={16} strokeWidth={1.9} aria-hidden="true" />
          Link to a picture
        </button>
      </div>
      {url && (
        <NewSecret
          label="The workspace with a preview, shown once"
          secret={previewAddress(id, url)}
          copied="The address was copied"
          hint="For a chat: the picture is its preview. Who may open the workspace opens it."
        />
      )}
      {url && theme !== 'both' && (
        <NewSecret
          label="The picture in Markdown, shown once"
          secret={markdownImage(url, name, theme)}
          copied="The Markdown was copied"
          hint="Markdown, for a README"
        />
      )}
      {url && (
        <NewSecret
          label="The picture in HTML, shown once"
          secret={htmlImage(url, name, theme)}
          copied="The HTML was copied"
          hint="HTML, for a wiki. Copy it now: it is not shown again."
        />
      )}
    </section>
  );
}

/** The audit list of changes of access, for owners. */
function AuditList() {
  const headingId = useId();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <section aria-labelledby={headingId}>
      <h3 id={headingId}>Audit</h3>
      {isOpen ? (
        <AuditEntries labelledBy={headingId} />
      ) : (
        <button type="button" className="button small" onClick={() => setIsOpen(true)}>
          Show who changed what
        </button>
      )}
    </section>
  );
}

function AuditEntries({ labelledBy }: { labelledBy: string }) {
  const { id } = useEditorContext();
  const audit = useInfiniteQuery({
    queryKey: ['audit', id],
    queryFn: ({ pageParam, signal }) => api.readAudit(id, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    staleTime: 0,
  });
  const entries = audit.data?.pages.flatMap(({ items }) => items) ?? [];
  if (audit.isError) return <p role="alert">{explainError(audit.error).title}</p>;
  if (audit.isSuccess && entries.length === 0) return <p className="access-hint">Nothing was changed yet.</p>;
  return (
    <>
      <ul className="access-list" aria-labelledby={labelledBy}>
        {entries.map((entry, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id, and none is ever put between others
          <li key={at}>
            <span>
              {entry.name} · {actionWords(entry.what)}
              <small>{[entry.detail, entry.address].filter(Boolean).join(' · ')}</small>
            </span>
            <time className="access-role" dateTime={entry.at} title={exactly(entry.at)}>
              {ago(entry.at)}
            </time>
          </li>
        ))}
      </ul>
      {audit.hasNextPage && (
        <button
          type="button"
          className="button small"
          disabled={audit.isFetchingNextPage}
          onClick={() => void audit.fetchNextPage()}
        >
          Show older
        </button>
      )}
    </>
  );
}

/** `share.created` as “share created”. */
const actionWords = (what: string): string => what.replaceAll(/[._]/g, ' ');
