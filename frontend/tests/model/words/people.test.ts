/** Members become people, states become words, news of others becomes one sentence. */
import { describe, expect, it } from 'vitest';
import { accessOf } from '../../../src/model/words/access';
import {
  commitAnnouncement,
  contrast,
  initialsOf,
  inkOn,
  isUnnamed,
  joined,
  listed,
  peopleIn,
  rosterAnnouncements,
  whereIs,
} from '../../../src/model/words/people';
import type { Commit, Member, PresenceState } from '../../../src/protocol/live';

const page = (
  member: string,
  name: string,
  state: PresenceState = {},
  kind: Member['kind'] = 'person',
): Member => ({
  member,
  id: `guest:${name}`,
  name,
  kind,
  color: '#1d4ed8',
  state: { ...state },
});
const nameOf = (id: string) => ({ orders: 'Orders' })[id] ?? null;

describe('people', () => {
  it('are told from agents, which are nobody to follow', () => {
    const found = peopleIn([page('a', 'Ann'), page('x', 'Codex · for Ann', {}, 'agent')], 'a');
    expect(found.map(({ isAgent, isAssistant, isMe }) => [isAgent, isAssistant, isMe])).toEqual([
      [true, false, false],
      [false, false, true],
    ]);
  });

  it('are each there once with all of their tabs, oneself last', () => {
    const people = peopleIn([page('a', 'Ann'), page('b1', 'Ben'), page('c', 'Cleo'), page('b2', 'Ben')], 'a');
    expect(people.map(({ name, isMe }) => [name, isMe])).toEqual([
      ['Ben', false],
      ['Cleo', false],
      ['Ann', true],
    ]);
    expect(people[0]?.members).toEqual(['b1', 'b2']);
  });

  it('are where they do most', () => {
    const cursor = { x: 1, y: 2 };
    const tabs = [
      page('b1', 'Ben', { selection: ['orders'] }),
      page('b2', 'Ben', { cursor }),
      page('b3', 'Ben'),
    ];
    expect(peopleIn(tabs, 'me')[0]).toMatchObject({ member: 'b2', state: { cursor } });
    expect(peopleIn([...tabs, page('b4', 'Ben', { editing: 'orders' })], 'me')[0]?.member).toBe('b4');
  });

  it('are all others before this page is known', () => {
    expect(peopleIn([page('a', 'Ann')], '')).toMatchObject([{ isMe: false }]);
    expect(peopleIn([], '')).toEqual([]);
  });

  it('the assistant is told apart', () => {
    expect(peopleIn([page('x', 'Assistant', {}, 'assistant')], '')[0]?.isAssistant).toBe(true);
  });
});

describe('where somebody is', () => {
  it.each<[PresenceState, string]>([
    [{ view: 'diagram', editing: 'orders' }, 'Diagram, edits Orders'],
    [{ view: 'split', editing: 'document', cursor: { x: 0, y: 0 } }, 'Document, writing'],
    [{ view: 'split', cursor: { x: 0, y: 0 }, selection: ['orders'] }, 'Diagram, at Orders'],
    [{ view: 'split', drag: { orders: { x: 0, y: 0 } } }, 'Diagram and document, moves Orders'],
    [{ view: 'diagram', selection: ['orders', 'other'] }, 'Diagram, at 2 things'],
    [{ view: 'diagram', selection: ['gone'] }, 'Diagram, at a node'],
    [{ view: 'split', caret: { rev: 1, anchor: 0, head: 0 } }, 'Document'],
    [{ view: 'split' }, 'Diagram and document'],
    [{}, 'Here'],
  ])('%o is "%s"', (state, words) => {
    expect(whereIs(state, nameOf)).toBe(words);
  });
});

describe('names', () => {
  it('have initials', () => {
    expect(['Maya', 'maya van Dam', ' ', '🦊 Fox', 'Ærø'].map(initialsOf)).toEqual([
      'M',
      'MD',
      '?',
      '🦊F',
      'Æ',
    ]);
  });

  it('that the server made up are not names', () => {
    expect(['Guest', 'Guest 4F2A', 'Guest House', 'Maya'].map(isUnnamed)).toEqual([true, true, false, false]);
  });

  it('are listed, the many counted', () => {
    expect(listed(['Ben'])).toBe('Ben');
    expect(listed(['Ben', 'Maya'])).toBe('Ben and Maya');
    expect(listed(['Ben', 'Maya', 'Zoe'])).toBe('Ben, Maya and Zoe');
    expect(listed(['Ben', 'Maya', 'Zoe', 'Kim'])).toBe('Ben, Maya and 2 others');
  });

  it('can be read on every colour', () => {
    for (const color of [
      '#c2410c',
      '#b45309',
      '#4d7c0f',
      '#1d4ed8',
      '#a7be2d',
      '#2dbe59',
      '#000000',
      '#ffffff',
    ])
      expect(contrast(color, inkOn(color)), color).toBeGreaterThanOrEqual(4.5);
  });
});

describe('news of others', () => {
  const moved = commitAnnouncement({
    by: { id: 'b', name: 'Maya', kind: 'person' },
    what: 'Moved Orders',
  } as Commit);

  it('is one sentence, with the rest counted', () => {
    expect(joined([])).toBe('');
    expect(joined([moved])).toBe('Maya moved Orders');
    expect(joined([moved, moved])).toBe('Maya moved Orders; 1 more change');
    expect(joined([moved, moved, moved])).toBe('Maya moved Orders; 2 more changes');
    const comes = { text: 'Ben is here', isChange: false };
    expect(joined([moved, comes, moved])).toBe('Ben is here. Maya moved Orders; 1 more change');
    expect(joined([comes])).toBe('Ben is here');
  });

  it('says who came and went, and nothing of oneself or of a second tab', () => {
    const before = peopleIn([page('a', 'Ann'), page('b', 'Ben')], 'a');
    const now = peopleIn([page('a', 'Ann'), page('a2', 'Ann'), page('c', 'Cleo')], 'a');
    expect(rosterAnnouncements(before, now).map(({ text }) => text)).toEqual([
      'Cleo is here',
      'Ben has left',
    ]);
    expect(rosterAnnouncements(now, now)).toEqual([]);
  });
});

describe('what may be done', () => {
  const free = {
    role: 'owner',
    frozen: null,
    isPhone: false,
    isViewingOld: false,
    isEmbedded: false,
  } as const;

  it('is everything where nothing speaks against it, also before that is known', () => {
    expect(accessOf(free)).toEqual({
      isWritable: true,
      isDraft: false,
      isTextWritable: true,
      reason: '',
    });
    expect(accessOf({ ...free, role: null }).isWritable).toBe(true);
  });

  it('is a draft of the diagram for who may propose', () => {
    const access = accessOf({ ...free, role: 'commenter' });
    expect([access.isWritable, access.isDraft, access.isTextWritable]).toEqual([true, true, false]);
    expect(access.reason).toMatch(/an editor accepts them/);
    expect(accessOf({ ...free, role: 'commenter', isPhone: true }).isWritable).toBe(false);
  });

  it.each([
    [{ role: 'viewer' }, /may look/],
    [{ frozen: 'its log has a gap.' }, /takes no changes now: its log has a gap\./],
    [{ isPhone: true }, /screen this small/],
    [{ isViewingOld: true }, /old revision/],
    [{ isEmbedded: true }, /inside another page/],
  ] as const)('is looking alone with %o', (facts, why) => {
    const access = accessOf({ ...free, ...facts });
    expect(access.isWritable).toBe(false);
    expect(access.reason).toMatch(why);
  });
});
