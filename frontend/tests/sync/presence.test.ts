/** Others, the assistant, and where oneself is. */
import { describe, expect, it } from 'vitest';
import { RecentText } from '../../src/sync/session/carets';
import { RunSubscriptions } from '../../src/sync/session/runSubscriptions';
import { commit, content, opened, reconnected, state, textStep, welcome } from './messages';

const ADA = { id: 'guest:ada', name: 'Ada', kind: 'person' };
const RUN = {
  id: 'r1',
  status: 'running' as const,
  workflow: 'edit' as const,
  mode: 'apply' as const,
  actor: ADA,
  provider: '',
  label: '',
  model: '',
  prompt_hash: '',
  base_revision: 1,
  outcome: null,
  edit_mode: 'tools' as const,
  rating: null,
  created_at: '',
  updated_at: '',
};
const PROPOSAL = {
  id: 'p1',
  run: 'r1',
  origin: 'assistant' as const,
  status: 'open' as const,
  fit: 'fits' as const,
  conflicts: [],
  reason: '',
  explanation: '',
  summary: '',
  actor: ADA,
  count: 1,
  what: [],
  base_revision: 1,
  outcome: null,
  created_at: '',
  expires_at: '',
  alternative: null,
};
const BOB = { member: 'm2', id: 'guest:bob', name: 'Bob', kind: 'person' as const, color: '#000', state: {} };

describe('what one may do', () => {
  it('is not known before the welcome says it, and is what the newest says', () => {
    const session = opened();
    expect([session.presence.role, session.presence.frozen]).toEqual(['owner', null]);
    session.receive([welcome({ role: 'viewer', frozen: 'A gap in its log.' })], 1);
    expect([session.presence.role, session.presence.frozen]).toEqual(['viewer', 'A gap in its log.']);
  });
});

describe('others', () => {
  it('come with the roster, move with presence, and are gone with the connection', () => {
    const session = opened();
    session.receive(
      [
        { t: 'roster', members: [BOB] },
        { t: 'presence', members: { m2: { view: 'split' } } },
      ],
      1,
    );
    expect(session.presence.members).toEqual([{ ...BOB, state: { view: 'split' } }]);
    expect(session.takeChange()).toMatchObject({ members: true, presence: true });
    session.disconnected('', false);
    expect(session.presence.members).toEqual([]);
  });

  it('and the assistant are told as the server says it; what this page does not know is passed over', () => {
    const session = opened();
    session.receive(
      [
        { t: 'runs', runs: [RUN] },
        { t: 'proposals', proposals: [PROPOSAL] },
      ],
      1,
    );
    session.receive([{ t: 'weather', sky: 'blue' } as never], 2);
    expect([session.presence.runs, session.presence.proposals]).toEqual([[RUN], [PROPOSAL]]);
    expect(session.takeChange()).toMatchObject({ runs: true, proposals: true });
  });

  it('are not what they were before the connection was away: where there is nothing any more, nothing is said', () => {
    const session = opened();
    session.receive(
      [
        { t: 'runs', runs: [RUN] },
        { t: 'proposals', proposals: [PROPOSAL] },
      ],
      1,
    );
    session.takeChange();
    session.disconnected('', false);
    expect(session.presence.proposals).toEqual([PROPOSAL]);
    session.receive([welcome({ resumed: true })], 2);
    expect([session.presence.runs, session.presence.proposals]).toEqual([[], []]);
    expect(session.takeChange()).toMatchObject({ runs: true, proposals: true });
  });
});

describe("somebody's caret", () => {
  const at = (rev: number, place: number) => ({ rev, place });

  it('moves with what was changed since, and with what is pending here', () => {
    const session = opened(content('one two'));
    session.receive([commit(2, [textStep([[0, 'zero '], 7])])], 1);
    session.type([12, [0, '!']], 2);
    session.type([[0, '>'], 13], 3);
    expect(session.placeHere(4, 1)).toBe(10);
    expect(session.placeHere(9, 2)).toBe(10);
  });

  it('goes behind what is inserted right there by others, and stays before what I insert', () => {
    const session = opened(content('one two'));
    session.receive([commit(2, [textStep([3, [0, '!'], 4])])], 1);
    expect(session.placeHere(3, 1)).toBe(4);
    session.type([4, [0, '?'], 4], 2);
    expect(session.placeHere(4, 2)).toBe(4);
  });

  it('cannot be said for a text from before a whole state, nor while this page is detached', () => {
    const session = opened(content('one two'));
    session.type([7, [0, '!']], 0);
    session.receive([state(9, content('other'), { why: 'behind' })], 1);
    expect(session.placeHere(1, 9)).toBe(null);
    const other = opened(content('one two'), 5);
    expect(other.placeHere(1, 4)).toBe(null);
    // Told ahead of the commits: shown as near as can be.
    expect(other.placeHere(99, 7)).toBe(7);
  });

  it('is followed for some hundred changes', () => {
    const recent = new RecentText();
    recent.restart(0);
    for (let rev = 1; rev <= 401; rev++) recent.add(rev, [[0, 'x'], rev + 9]);
    expect([at(0, 5), at(1, 5)].map(({ place, rev }) => recent.follow(place, rev))).toEqual([null, 405]);
  });
});

describe('oneself', () => {
  it('is told once, and again on a new connection', () => {
    const session = opened();
    const { own: whereabouts } = session.presence;
    whereabouts.set({ view: 'split' }, 1, (place) => place);
    expect(whereabouts.take()).toMatchObject({ view: 'split' });
    expect(whereabouts.take()).toBe(null);
    reconnected(session, [], 5);
    expect(whereabouts.take()).toMatchObject({ view: 'split' });
  });

  it('has its caret in the text that others have, found once for each caret that is given', () => {
    const { own: whereabouts } = opened().presence;
    const caret = { rev: 0, anchor: 7, head: 9 };
    whereabouts.set({ caret }, 4, (place) => place - 5);
    whereabouts.set({ caret, view: 'split' }, 5, () => 0);
    expect(whereabouts.take()?.caret).toEqual({ rev: 4, anchor: 2, head: 4 });
  });

  it('never says more than the server takes', () => {
    const { own: whereabouts } = opened().presence;
    const selection = Array.from({ length: 500 }, (_, n) => `n${n}`);
    whereabouts.set(
      { selection, drag: Object.fromEntries(selection.map((id) => [id, { x: 0, y: 0 }])) },
      1,
      Number,
    );
    const told = whereabouts.take();
    expect(told?.selection).toHaveLength(200);
    expect(Object.keys(told?.drag ?? {})).toHaveLength(200);
  });
});

describe('watching a run', () => {
  it('gives each event once to each, also to one who begins later and further back', () => {
    const watches = new RunSubscriptions();
    const heard: string[] = [];
    watches.add('run', '0', (id) => heard.push(`a${id}`));
    expect(watches.take()).toEqual([{ t: 'watch', run: 'run', after: '0' }]);
    watches.dispatch('run', '9-1', {});
    watches.dispatch('run', '10-0', {});
    watches.add('run', '9-1', (id) => heard.push(`b${id}`));
    expect(watches.take()).toEqual([{ t: 'watch', run: 'run', after: '9-1' }]);
    watches.dispatch('run', '10-0', {});
    watches.dispatch('run', '10-2', {});
    expect(heard).toEqual(['a9-1', 'a10-0', 'b10-0', 'a10-2', 'b10-2']);
  });

  it('goes on over a new connection from where the furthest behind stands', () => {
    const watches = new RunSubscriptions();
    watches.add('run', '5-0', () => undefined);
    watches.add('run', '3-0', () => undefined);
    watches.take();
    watches.resubscribe();
    expect(watches.take()).toEqual([{ t: 'watch', run: 'run', after: '3-0' }]);
  });

  it('ends when nobody watches any more, or the run is gone', () => {
    const watches = new RunSubscriptions();
    const events: unknown[] = [];
    const end = watches.add('run', '0', (_, event) => events.push(event));
    watches.add('other', '0', (_, event) => events.push(event));
    watches.take();
    end();
    end();
    expect(watches.take()).toEqual([{ t: 'unwatch', run: 'run' }]);
    watches.end('other', 'run_not_found', 'There is no such run.');
    expect(events).toEqual([{ type: 'gone', code: 'run_not_found', detail: 'There is no such run.' }]);
    watches.resubscribe();
    expect(watches.take()).toEqual([]);
  });
});
