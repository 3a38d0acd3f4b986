/** The bar of following a person; following stops on any action of one's own. */
import { Footprints } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import type { Person } from '../../model/words/people';
import type { PresenceState } from '../../protocol/live';
import { useEditorContext, useLive, useUiState } from '../context/EditorContext';
import { inColour } from '../ui/Avatar';
import { useToasts } from '../ui/overlay/Toasts';
import { Follower } from './goTo';
import { usePeople } from './usePeople';

export function FollowBar() {
  const { ui } = useEditorContext();
  const following = useUiState((state) => state.following);
  const person = usePeople().find(({ members }) => following !== null && members.includes(following));
  useGone(following, person);
  if (!following || !person) return null;
  return (
    <div className="follow" style={inColour(person.color)}>
      <Following key={following} member={following} />
      <div className="follow-bar" role="status">
        <Footprints size={14} aria-hidden="true" />
        <span className="follow-name">Following {person.name}</span>
        <button type="button" onClick={() => ui.set({ following: null })}>
          Stop
        </button>
      </div>
    </div>
  );
}

/** Applies the view of the followed page. */
function Following({ member }: { member: string }) {
  const { client, ui } = useEditorContext();
  const state = useLive((live) => live.members.find((one) => one.member === member)?.state);
  const follower = useMemo(() => new Follower({ client, ui }), [client, ui]);
  useEffect(() => {
    if (state) follower.follow(state as PresenceState);
  }, [state, follower]);
  useEffect(() => {
    const stop = (event: Event) => {
      if (!isAboutPeople(event)) ui.set({ following: null });
    };
    const kinds = ['pointerdown', 'wheel', 'keydown'] as const;
    for (const kind of kinds) window.addEventListener(kind, stop, { capture: true, passive: true });
    return () => {
      for (const kind of kinds) window.removeEventListener(kind, stop, { capture: true });
    };
  }, [ui]);
  return null;
}

/** Opening the list of people, and following another, does not stop it. */
function isAboutPeople(event: Event): boolean {
  const isThere =
    event.target instanceof Element && event.target.closest('.follow-bar, .people, .people-list') !== null;
  if (!(event instanceof KeyboardEvent)) return isThere;
  if (/^(Shift|Control|Alt|Meta|AltGraph)$/.test(event.key)) return true;
  return isThere && /^(Tab|Enter| |Arrow\w+)$/.test(event.key);
}

/** Follows another tab of the same person when the followed one is closed; says so when there is none. */
function useGone(following: string | null, person: Person | undefined): void {
  const { ui } = useEditorContext();
  const toasts = useToasts();
  const people = usePeople();
  // While disconnected nobody counts as gone.
  const isLive = useLive(({ status, members }) => status.connection === 'live' && members.length > 0);
  const last = useRef<Person | null>(null);
  if (person) last.current = person;
  useEffect(() => {
    if (!following || person || !isLive) return;
    const again = people.find(({ id }) => id === last.current?.id);
    ui.set({ following: again?.member ?? null });
    if (!again && last.current) toasts.show({ text: `${last.current.name} has left` });
  }, [following, person, isLive, people, ui, toasts]);
}
