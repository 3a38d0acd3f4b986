/**
 * Presence in words: members (open pages) become people, states become words, commits of others become short sentences.
 * Pure. Not here: transport (`sync/session/presence.ts`).
 */
import type { Commit, Member, PresenceState } from '../../protocol/live';
import { counted } from './kinds';

/** A person, with all of their open pages. */
export interface Person {
  id: string;
  name: string;
  color: string;
  isAssistant: boolean;
  /** Whether it is a program that works for somebody: it is nowhere in particular. */
  isAgent: boolean;
  isMe: boolean;
  /** Their pages in the order of the roster. */
  members: readonly string[];
  /** The most active of their pages, and what they do there. */
  member: string;
  state: PresenceState;
}

/** Everybody present, each once, in the order of arrival; oneself last. `own` is the member of this page. */
export function peopleIn(members: readonly Member[], own: string): Person[] {
  const me = members.find(({ member }) => member === own)?.id;
  const pages = new Map<string, Member[]>();
  for (const member of members) pages.set(member.id, [...(pages.get(member.id) ?? []), member]);
  const people = [...pages.values()].map((theirs) => personOf(theirs, me));
  return [...people.filter(({ isMe }) => !isMe), ...people.filter(({ isMe }) => isMe)];
}

function personOf(pages: readonly Member[], me: string | undefined): Person {
  const busiest = pages.reduce((best, page) => (busyness(page) > busyness(best) ? page : best));
  const { id, name, color, kind, member, state } = busiest;
  return {
    id,
    name,
    color,
    isAssistant: kind === 'assistant',
    isAgent: kind === 'agent',
    isMe: id === me,
    members: pages.map((page) => page.member),
    member,
    state: state as PresenceState,
  };
}

/** A rank of activity: an edit counts more than a pointer. */
function busyness({ state }: Member): number {
  const { drag, editing, cursor, caret, selection } = state as PresenceState;
  if (drag || editing) return 4;
  if (cursor) return 3;
  if (caret) return 2;
  return selection?.length ? 1 : 0;
}

/** "Diagram, edits Orders". `nameOf` returns the name of a node or edge; null where there is none. */
export function whereIs(state: PresenceState, nameOf: (id: string) => string | null): string {
  const doing = doingOf(state, nameOf);
  return doing ? `${placeOf(state)}, ${doing}` : placeOf(state);
}

function placeOf({ view, editing, caret, cursor }: PresenceState): string {
  if (view === 'diagram') return 'Diagram';
  if (view === 'document') return 'Document';
  if (editing === 'document') return 'Document';
  if (cursor || editing) return 'Diagram';
  if (caret) return 'Document';
  return view === 'split' ? 'Diagram and document' : 'Here';
}

function doingOf({ drag, editing, selection }: PresenceState, nameOf: (id: string) => string | null): string {
  if (editing === 'document') return 'writing';
  if (editing) return `edits ${nameOf(editing) ?? 'a node'}`;
  const dragged = Object.keys(drag ?? {});
  if (dragged.length > 0) return `moves ${named(dragged, nameOf)}`;
  return selection?.length ? `at ${named(selection, nameOf)}` : '';
}

function named(ids: readonly string[], nameOf: (id: string) => string | null): string {
  const [only] = ids;
  return ids.length === 1 && only ? (nameOf(only) ?? 'a node') : `${ids.length} things`;
}

/** Up to two initials of a name. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0]);
  return letters.filter(Boolean).join('').toUpperCase() || '?';
}

/** Whether it is the default name of the server. */
export const isUnnamed = (name: string): boolean => /^Guest( [0-9A-Z]{4})?$/.test(name.trim());

/** "Ben", "Ben and Maya", "Ben, Maya and 3 others". */
export function listed(names: readonly string[]): string {
  if (names.length <= 2) return names.join(' and ');
  if (names.length === 3) return `${names[0]}, ${names[1]} and ${names[2]}`;
  return `${names[0]}, ${names[1]} and ${names.length - 2} others`;
}

/** Something that others did, for screen readers. */
export interface Announcement {
  text: string;
  /** Whether it changed the workspace. */
  isChange: boolean;
}

/** The commit of somebody else as a sentence without its full stop. */
export function commitAnnouncement({ by, what }: Commit): Announcement {
  return { text: `${by.name} ${what.charAt(0).toLowerCase()}${what.slice(1)}`, isChange: true };
}

/** Who joined and who left. */
export function rosterAnnouncements(before: readonly Person[], now: readonly Person[]): Announcement[] {
  const others = (people: readonly Person[]) => people.filter(({ isMe }) => !isMe);
  const isIn = (people: readonly Person[]) => (one: Person) => people.some(({ id }) => id === one.id);
  const came = others(now).filter((one) => !isIn(before)(one));
  const went = others(before).filter((one) => !isIn(now)(one));
  return [
    ...came.map(({ name }) => ({ text: `${name} is here`, isChange: false })),
    ...went.map(({ name }) => ({ text: `${name} has left`, isChange: false })),
  ];
}

/** Several announcements as one: who joined and left, then the first change; the others are counted. */
export function joined(announcements: readonly Announcement[]): string {
  const changes = announcements.filter(({ isChange }) => isChange);
  const others = announcements.filter(({ isChange }) => !isChange).map(({ text }) => text);
  const [first] = changes;
  const more = changes.length - 1;
  const rest = more > 0 ? `; ${counted(more, 'more change')}` : '';
  return [...others, ...(first ? [first.text + rest] : [])].join('. ');
}

/** White or near black: whichever has the better contrast to a colour `#rrggbb`. */
export const inkOn = (color: string): string =>
  contrast(color, WHITE) >= contrast(color, BLACK) || contrast(color, WHITE) >= 4.5 ? WHITE : BLACK;

const WHITE = '#ffffff';
const BLACK = '#101828';

/** As WCAG 2.2 defines it. */
export function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const channel = (from: number) => {
    const share = Number.parseInt(color.slice(from, from + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}
