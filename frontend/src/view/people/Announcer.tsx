/**
 * Announces the actions of others to screen readers: politely, throttled, several as one; also what they did while this was
 * loaded (`context/activity.ts`).
 */
import { useEffect, useRef, useState } from 'react';
import { assistantAnnouncements } from '../../model/assistant/presence';
import {
  type Announcement,
  commitAnnouncement,
  joined,
  type Person,
  peopleIn,
  rosterAnnouncements,
} from '../../model/words/people';
import type { LiveRun } from '../../protocol/live';
import type { Snapshot } from '../../sync/editor/snapshot';
import { type Activity, isSafe } from '../context/activity';
import { useEditorContext } from '../context/EditorContext';

const APART_MS = 3000;
/** Screen readers announce changes of what they know: a region that comes with its text is often passed over. */
const KNOWN_AFTER_MS = 500;

export function Announcer() {
  const { activity } = useEditorContext();
  const [text, tell] = useAnnouncements();
  const [news] = useState(() => new News());
  useEffect(() => activity.listen((one) => tell(news.of(one))), [activity, news, tell]);
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
  const sayAfter = useRef((ms: number) => {
    timer.current = setTimeout(() => {
      timer.current = null;
      tell.current([]);
    }, ms);
  });
  const tell = useRef((announcements: readonly Announcement[]) => {
    waiting.current.push(...announcements);
    if (timer.current || waiting.current.length === 0) return;
    setText(joined(waiting.current.splice(0)));
    sayAfter.current(APART_MS);
  });
  useEffect(() => {
    sayAfter.current(KNOWN_AFTER_MS);
    return () => {
      if (timer.current) clearTimeout(timer.current);
      timer.current = null;
    };
  }, []);
  return [text, tell.current];
}

/** What is new in each activity; in the first, the state at the beginning, nothing is but that changes are not saved. */
class News {
  private runs: readonly LiveRun[] | null = null;
  private people: readonly Person[] | null = null;
  private isSafe = true;

  of({ commits, live }: Activity): Announcement[] {
    const isFirst = this.runs === null;
    const changes = isFirst ? [] : commits.map(commitAnnouncement);
    return [...changes, ...this.roster(live), ...this.assistant(live), ...this.safety(live)];
  }

  private roster({ status, members, member }: Snapshot): Announcement[] {
    if (status.connection !== 'live' || members.length === 0) return [];
    const { people } = this;
    this.people = peopleIn(members, member);
    return people ? rosterAnnouncements(people, this.people) : [];
  }

  /** Requests to the assistant as they begin and end. */
  private assistant({ runs }: Snapshot): Announcement[] {
    const before = this.runs ?? runs;
    this.runs = runs;
    return assistantAnnouncements(before, runs);
  }

  /** Problems with saving only: announcing every save would drown everything else. */
  private safety(live: Snapshot): Announcement[] {
    if (isSafe(live) === this.isSafe) return [];
    this.isSafe = isSafe(live);
    const trouble = live.status.saving === 'offline' ? 'Offline; changes are kept here' : 'Not saving';
    return [{ text: this.isSafe ? 'Saving again' : trouble, isChange: false }];
  }
}
