/** Announces the actions of others to screen readers: politely, throttled, several as one. */
import { useEffect, useRef, useState } from 'react';
import { assistantAnnouncements } from '../../model/assistant/presence';
import {
  type Announcement,
  commitAnnouncement,
  joined,
  type Person,
  rosterAnnouncements,
} from '../../model/words/people';
import { useEditorContext, useLive } from '../context/EditorContext';
import { usePeople } from './usePeople';

const APART_MS = 3000;

export function Announcer() {
  const [text, tell] = useAnnouncements();
  useChanges(tell);
  useRosterAnnouncements(tell);
  useAssistantAnnouncements(tell);
  useSafety(tell);
  return (
    <p className="visually-hidden" role="status" aria-live="polite" data-testid="announcements">
      {text}
    </p>
  );
}

/** The current announcement, and a function to add more. */
function useAnnouncements(): [string, (announcements: readonly Announcement[]) => void] {
  const [text, setText] = useState('');
  const waiting = useRef<Announcement[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const tell = useRef((announcements: readonly Announcement[]) => {
    waiting.current.push(...announcements);
    if (timer.current || waiting.current.length === 0) return;
    const say = () => {
      setText(joined(waiting.current.splice(0)));
      timer.current = setTimeout(() => {
        timer.current = null;
        if (waiting.current.length > 0) tell.current([]);
      }, APART_MS);
    };
    say();
  });
  useEffect(
    () => () => {
      if (timer.current) clearTimeout(timer.current);
      timer.current = null;
    },
    [],
  );
  return [text, tell.current];
}

/** Commits of others. */
function useChanges(tell: (announcements: readonly Announcement[]) => void): void {
  const { client } = useEditorContext();
  useEffect(
    () =>
      client.subscribe(({ commits }) => {
        const foreign = commits.filter(({ by, steps }) => by.id !== client.me?.id && steps.length > 0);
        if (foreign.length > 0) tell(foreign.map(commitAnnouncement));
      }),
    [client, tell],
  );
}

function useRosterAnnouncements(tell: (announcements: readonly Announcement[]) => void): void {
  const people = usePeople();
  const isLive = useLive(({ status, members }) => status.connection === 'live' && members.length > 0);
  const before = useRef<Person[] | null>(null);
  useEffect(() => {
    if (!isLive) return;
    if (before.current) tell(rosterAnnouncements(before.current, people));
    before.current = people;
  }, [people, isLive, tell]);
}

/** Requests to the assistant as they begin and end. */
function useAssistantAnnouncements(tell: (announcements: readonly Announcement[]) => void): void {
  const runs = useLive((live) => live.runs);
  const before = useRef(runs);
  useEffect(() => {
    tell(assistantAnnouncements(before.current, runs));
    before.current = runs;
  }, [runs, tell]);
}

/** Problems with saving only: announcing every save would drown everything else. */
function useSafety(tell: (announcements: readonly Announcement[]) => void): void {
  const saving = useLive((live) => live.status.saving);
  const isUsual = saving === 'saved' || saving === 'saving';
  const wasUsual = useRef(true);
  useEffect(() => {
    if (isUsual === wasUsual.current) return;
    wasUsual.current = isUsual;
    const text = isUsual
      ? 'Saving again'
      : saving === 'offline'
        ? 'Offline; changes are kept here'
        : 'Not saving';
    tell([{ text, isChange: false }]);
  }, [isUsual, saving, tell]);
}
