/** Typing in the core of a live page: seen at once, pushed in one piece after another, merged where its base is gone. */
import { describe, expect, it } from 'vitest';
import { applyTo, type Changes } from '../../src/model/core/changes';
import type { ServerMessage } from '../../src/protocol/live';
import { PendingText } from '../../src/sync/text/text';
import { ADA, commit, committed, content, opened, reconnected, rejected, state, textStep } from './messages';
import { type Random, seeds } from './random';

function rosterOf(pages: number): ServerMessage {
  return {
    t: 'roster',
    members: Array.from({ length: pages }, (_, n) => ({ ...ADA, member: `m${n}`, state: {} })),
  };
}

describe('a push', () => {
  it('goes out a quarter of a second after the last keystroke', () => {
    const session = opened(content('hello'));
    session.type([5, [0, ' ']], 0);
    session.type([6, [0, 'w']], 200);
    expect(session.due(200)).toBe(450);
    expect(session.outgoing(449)).toEqual([]);
    const push = { t: 'type', id: 'id-number-1', epoch: 'e1', base: 1, h: 'h1', changes: [5, [0, ' w']] };
    expect(session.outgoing(450)).toEqual([push]);
  });

  it('waits no longer than a second after the first keystroke', () => {
    const session = opened(content(''));
    for (let n = 0; n <= 10; n++) session.type(n ? [n, [0, 'x']] : [[0, 'x']], n * 200);
    expect(session.due(0)).toBe(1_000);
  });

  it('waits for the answer to the one before, and goes no sooner than a quarter of a second after it', () => {
    const session = opened(content(''));
    session.type([[0, 'a']], 0);
    session.outgoing(250);
    session.type([1, [0, 'b']], 260);
    expect(session.due(300)).toBe(Number.POSITIVE_INFINITY);
    expect(session.outgoing(5_000)).toEqual([]);
    session.receive([committed('id-number-1', 2), commit(2, [textStep([[0, 'a']])])], 300);
    expect(session.due(300)).toBe(510);
    session.type([2, [0, 'c']], 505);
    expect(session.due(505)).toBe(755);
    expect(session.outgoing(755)).toMatchObject([{ base: 2, changes: [1, [0, 'bc']] }]);
  });

  it('goes at once in company, and then every quarter of a second', () => {
    const session = opened(content(''));
    session.receive([rosterOf(2)], 0);
    session.type([[0, 'a']], 100);
    expect(session.due(100)).toBe(100);
    expect(session.outgoing(100)).toHaveLength(1);
    session.receive([committed('id-number-1', 2), commit(2, [textStep([[0, 'a']])])], 110);
    session.type([1, [0, 'b']], 300);
    session.type([2, [0, 'c']], 320);
    expect(session.due(320)).toBe(350);
    session.receive([rosterOf(1)], 330);
    expect(session.due(330)).toBe(570);
  });

  it('goes among many when others are heard, and else less often', () => {
    const session = opened(content(''));
    session.receive([rosterOf(6)], 0);
    session.type([[0, 'a']], 100);
    expect(session.outgoing(100)).toHaveLength(1);
    session.receive([committed('id-number-1', 2), commit(2, [textStep([[0, 'a']])])], 110);
    session.type([1, [0, 'b']], 150);
    expect(session.due(150)).toBe(500);
    session.receive([commit(3, [textStep([1, [0, 'x']])])], 290);
    expect(session.due(290)).toBe(500);
    expect(session.outgoing(290)).toEqual([]);
    session.receive([commit(4, [textStep([2, [0, 'y']])])], 310);
    expect(session.outgoing(310)).toMatchObject([{ base: 4 }]);
  });

  it('goes at once where the page may be gone in a moment', () => {
    const session = opened(content(''));
    session.type([[0, 'a']], 0);
    session.outbox.flush();
    expect(session.outgoing(1)).toHaveLength(1);
  });

  it('is nothing where what was typed was deleted again', () => {
    const session = opened(content('hello'));
    session.type([5, [0, '!']], 0);
    session.type([5, [1]], 10);
    session.takeChange();
    expect(session.status.pending).toBe(0);
    expect(session.outgoing(10_000)).toEqual([]);
  });

  it('is repeated as it was, for the base that it had, until it is answered', () => {
    const session = opened(content('hello'));
    session.type([5, [0, '!']], 0);
    session.outgoing(250);
    const hello = reconnected(session, [commit(2, [textStep([[0, 'oh '], 5])])], 300);
    expect(hello.pending).toEqual(['id-number-1']);
    const push = { t: 'type', id: 'id-number-1', epoch: 'e1', base: 1, h: 'h1', changes: [5, [0, '!']] };
    expect(session.outgoing(300)).toEqual([push]);
    expect(session.view.text).toBe('oh hello!');
  });

  it('that was committed while the page was away is not repeated', () => {
    const session = opened(content('hello'));
    session.type([5, [0, '!']], 0);
    session.outgoing(250);
    reconnected(session, [committed('id-number-1', 2), commit(2, [textStep([5, [0, '!']])])], 300);
    expect(session.outgoing(2_000)).toEqual([]);
    expect(session.view.text).toBe('hello!');
  });

  it('that the log has without what it shares with the text before stays as it was typed', () => {
    const session = opened(content('width 290'));
    session.type([6, [3, '280']], 0);
    session.outgoing(250);
    session.type([7, [0, ','], 2], 260);
    session.takeChange();
    session.receive([committed('id-number-1', 2), commit(2, [textStep([7, [1, '8'], 1], ['9'])])], 270);
    expect(session.view.text).toBe('width 2,80');
    expect(session.takeChange()?.text ?? null).toBeNull();
  });

  it('that replaced a text by itself stays as it was typed', () => {
    const session = opened(content('width 290'));
    session.type([6, [3, '290']], 0);
    session.outgoing(250);
    session.type([7, [0, ','], 2], 260);
    session.receive([committed('id-number-1', 1, false)], 270);
    expect(session.view.text).toBe('width 2,90');
  });

  it('whose base the server does not know is made anew from where the page stands', () => {
    const session = opened(content('hello'));
    session.type([5, [0, '!']], 0);
    session.outgoing(250);
    session.receive([commit(2, [textStep([[0, 'oh '], 5])]), rejected('id-number-1', 'base_gone')], 260);
    expect(session.view.text).toBe('oh hello!');
    expect(session.outgoing(500)).toMatchObject([{ id: 'id-number-2', base: 2, changes: [8, [0, '!']] }]);
    // A second time in a row: the page cannot be where it thinks it is.
    session.receive([rejected('id-number-2', 'base_gone')], 510);
    expect(session.outgoing(2_000)).toMatchObject([{ t: 'resync' }]);
  });

  it('that the server refuses is taken out of the text, and what was typed after it stays', () => {
    const session = opened(content('hello'));
    session.type([5, [0, ' world']], 0);
    session.outgoing(250);
    session.type([11, [0, '!']], 260);
    session.takeChange();
    session.receive([rejected('id-number-1', 'limit_document')], 270);
    expect(session.view.text).toBe('hello!');
    expect(session.takeChange()).toMatchObject({ text: [5, [6], 1], tray: true });
    expect(session.tray.all()).toMatchObject([
      { code: 'limit_document', what: 'Typed: “world”', text: { inserted: [' world'], near: 'hello' } },
    ]);
    expect(session.outgoing(600)).toMatchObject([{ changes: [5, [0, '!']] }]);
  });

  it('that is refused for now is sent again, and holds what is typed meanwhile', () => {
    const session = opened(content(''));
    session.type([[0, 'a']], 0);
    session.outgoing(250);
    session.receive([rejected('id-number-1', 'storage_full', true)], 260);
    session.type([1, [0, 'b']], 270);
    session.takeChange();
    expect(session.status).toMatchObject({ pending: 2, saving: 'not_saving' });
    expect(session.outgoing(760)).toMatchObject([{ id: 'id-number-1', changes: [[0, 'a']] }]);
  });

  it('cannot be made of what the server would not take', () => {
    const session = opened(content('a😀'));
    expect(() => session.type([3, [0, 'x\ry']], 0)).toThrow();
    expect(() => session.type([2, [0, 'x'], 1], 0)).toThrow();
    expect(() => session.type([9, [0, 'x']], 0)).toThrow(RangeError);
    expect(session.view.text).toBe('a😀');
  });
});

describe('what others do', () => {
  it('is mapped through what is pending here; what they insert at the same place comes first', () => {
    const session = opened(content('hello'));
    session.type([5, [0, ' world']], 1);
    session.outgoing(251);
    session.type([11, [0, '!']], 252);
    session.takeChange();
    session.receive([commit(2, [textStep([[0, 'oh '], 5, [0, ' there']], ['', ''])])], 253);
    expect(session.view.text).toBe('oh hello there world!');
    expect(session.takeChange()?.text).toEqual([[0, 'oh '], 5, [0, ' there'], 7]);
    const own = textStep([14, [0, ' world']]);
    session.receive([committed('id-number-1', 3), commit(3, [own], { kind: 'text' })], 254);
    expect(session.takeChange()?.text).toBe(null);
    expect(session.view.text).toBe('oh hello there world!');
  });

  it('may make a push come to nothing', () => {
    const session = opened(content('hello'));
    session.type([[5]], 0);
    session.outgoing(250);
    session.receive([commit(2, [textStep([[5]], ['hello'])]), committed('id-number-1', 2, false)], 260);
    session.takeChange();
    expect(session.view.text).toBe('');
    expect(session.status.pending).toBe(0);
  });
});

describe('a whole state while typing is pending', () => {
  it('does not take the text away that is being written: what waited is pushed for the base that it had', () => {
    const session = opened(content('one two'));
    session.type([7, [0, ' three']], 0);
    session.receive([state(9, content('zero one two'), { why: 'behind' })], 10);
    expect(session.view.text).toBe('one two three');
    session.type([13, [0, '!']], 20);
    expect(session.outgoing(20)).toMatchObject([{ t: 'type', base: 1, changes: [7, [0, ' three!']] }]);
    session.takeChange();
    const push = textStep([12, [0, ' three!']]);
    session.receive([committed('id-number-1', 10), commit(10, [push])], 30);
    expect(session.view.text).toBe('zero one two three!');
    expect(session.takeChange()?.text).toEqual([[0, 'zero '], 14]);
    session.takeChange();
    expect(session.status.pending).toBe(0);
  });

  it('merges what was typed after a push that turns out to be in', () => {
    const session = opened(content('one two'));
    session.type([7, [0, ' three']], 0);
    session.outgoing(250);
    session.type([13, [0, ' four']], 260);
    reconnected(session, [state(9, content('zero one two three'), { why: 'trimmed' })], 300);
    expect(session.view.text).toBe('one two three four');
    expect(session.outgoing(300)).toMatchObject([{ id: 'id-number-1', base: 1 }]);
    session.receive([committed('id-number-1', 5)], 310);
    expect(session.view.text).toBe('zero one two three four');
    expect(session.outgoing(500)).toMatchObject([{ base: 9, changes: [18, [0, ' four']] }]);
  });

  it('merges all of it where the push is surely not in, and hands back what overlaps', () => {
    const session = opened(content('the red house\nstands'));
    session.type([4, [3, 'blue'], 13], 0);
    session.outgoing(250);
    session.type([21, [0, ' tall']], 260);
    // The server still knows what was committed since: it would know the push.
    reconnected(session, [state(9, content('the green house\nstands'), { why: 'behind' })], 300);
    session.outgoing(300);
    session.takeChange();
    session.receive([rejected('id-number-1', 'base_gone')], 310);
    expect(session.view.text).toBe('the green house\nstands tall');
    expect(session.tray.all()).toMatchObject([
      {
        code: 'text_overlap',
        what: 'Typed: “blue” in place of “red”',
        text: { inserted: ['blue'], near: 'the' },
      },
    ]);
    expect(applyTo('the blue house\nstands tall', session.takeChange()?.text as Changes)).toBe(
      session.view.text,
    );
  });

  it.each([{ why: 'trimmed' }, { why: 'fresh' }, { why: 'diverged', epoch: 'e2' }] as const)(
    'sends no push again that may be in, changed by others and forgotten: it is handed back ($why)',
    (more) => {
      const session = opened(content('the house\nstands'));
      session.type([9, [0, ' of brick'], 7], 0);
      session.outgoing(250);
      session.type([25, [0, ' tall']], 260);
      reconnected(session, [state(9, content('the house of bricks\nstands'), more)], 300);
      expect(session.outgoing(300)).toMatchObject([{ id: 'id-number-1' }]);
      // Also over a connection that breaks before it is answered, and is resumed.
      reconnected(session, [commit(10, [textStep([26, [0, ' here']])])], 400);
      expect(session.outgoing(400)).toMatchObject([{ id: 'id-number-1' }]);
      session.receive([rejected('id-number-1', 'base_gone')], 410);
      expect(session.tray.all()).toMatchObject([
        { id: 'id-number-1', code: 'uncertain', text: { inserted: [' of brick'], near: 'the house' } },
      ]);
      // What was typed after it was never sent, and is merged.
      expect(session.view.text).toBe('the house of bricks\nstands here tall');
      expect(session.outgoing(2_000)).toMatchObject([{ base: 10, changes: [31, [0, ' tall']] }]);
    },
  );

  it('sends a push again that went with the end of the log', () => {
    const session = opened(content('one two'));
    session.type([7, [0, ' three']], 0);
    session.outgoing(250);
    reconnected(session, [state(1, content('zero one two'), { why: 'diverged', h: 'other' })], 300);
    session.outgoing(300);
    session.receive([rejected('id-number-1', 'base_gone')], 310);
    expect([session.view.text, session.tray.all()]).toEqual(['zero one two three', []]);
    expect(session.outgoing(600)).toMatchObject([{ base: 1, h: 'other', changes: [12, [0, ' three']] }]);
  });

  it('sends text again that was surely never sent, wherever its base is', () => {
    const session = opened(content('one two'));
    session.type([7, [0, ' three']], 0);
    session.receive([state(9, content('zero one two'), { why: 'behind' })], 10);
    session.outgoing(20);
    session.receive([rejected('id-number-1', 'base_gone')], 30);
    expect(session.tray.all()).toEqual([]);
    expect(session.outgoing(600)).toMatchObject([{ base: 9, changes: [12, [0, ' three']] }]);
  });

  it('counts a push as in of which the server says that it was carried out, longer ago than it tells', () => {
    const session = opened(content('one two'));
    session.type([7, [0, ' and something more']], 0);
    session.outgoing(250);
    reconnected(session, [state(99, content('all is new'), { why: 'trimmed' })], 300);
    session.outgoing(300);
    session.receive([rejected('id-number-1', 'trimmed')], 310);
    expect([session.view.text, session.tray.all()]).toEqual(['all is new', []]);
  });

  it('counts a push once whose id the server has forgotten too, if its words are there', () => {
    const session = opened(content('one two'));
    session.type([7, [0, ' and something more']], 0);
    session.outgoing(250);
    const theirs = 'one two and something more, says Bob';
    reconnected(session, [state(99, content(theirs), { why: 'trimmed' })], 300);
    session.outgoing(300);
    session.receive([rejected('id-number-1', 'base_gone')], 310);
    expect(session.view.text).toBe(theirs);
    session.takeChange();
    expect(session.status.pending).toBe(0);
  });

  it('is merged at once where the base cannot be there: in another epoch, or cut off', () => {
    for (const more of [{ epoch: 'e2', why: 'diverged' as const }, { why: 'trimmed' as const }]) {
      const session = opened(content('one two'));
      session.type([7, [0, ' three']], 0);
      reconnected(session, [state(9, content('zero one two'), more)], 300);
      expect(session.view.text).toBe('zero one two three');
      expect(session.outgoing(300)).toMatchObject([{ base: 9, changes: [12, [0, ' three']] }]);
    }
  });

  it('is asked for by its base and hash where the log went another way, perhaps after that', () => {
    const session = opened(content('one two'));
    session.type([7, [0, ' three']], 0);
    reconnected(session, [state(1, content('zero one two'), { why: 'diverged', h: 'other' })], 300);
    expect(session.outgoing(300)).toMatchObject([{ base: 1, h: 'h1', changes: [7, [0, ' three']] }]);
    session.receive([rejected('id-number-1', 'base_gone')], 310);
    expect(session.view.text).toBe('zero one two three');
    expect(session.outgoing(600)).toMatchObject([{ base: 1, h: 'other', changes: [12, [0, ' three']] }]);
  });

  it('changes nothing where the document is the same', () => {
    const session = opened(content('one two'));
    session.type([7, [0, ' three']], 0);
    session.takeChange();
    reconnected(session, [state(9, content('one two'), { why: 'trimmed' })], 300);
    expect(session.takeChange()?.text).toBe(null);
    expect(session.outgoing(300)).toMatchObject([{ base: 9, changes: [7, [0, ' three']] }]);
  });

  it('tells the editor what is different where nothing was pending', () => {
    const session = opened(content('one two'));
    session.receive([state(9, content('one and two'), { why: 'behind' })], 1);
    expect(session.takeChange()).toMatchObject({ text: [4, [0, 'and '], 3], nodes: 'all', edges: 'all' });
  });
});

describe('what another page has typed', () => {
  const left = (waiting: Changes | null, flight: Changes | null = null) => ({
    actor: null,
    writes: [],
    tray: [],
    texts: [
      {
        text: 'one two',
        epoch: 'e1',
        rev: 1,
        h: 'h1',
        waiting,
        flight: flight && {
          id: 'push-0001',
          epoch: 'e1',
          base: 1,
          h: 'h1',
          sent: flight,
          now: flight,
          isSent: false,
          wasSent: true,
          isDoubtful: true,
          told: null,
        },
      },
    ],
  });

  it('is pushed for the base that it had, as if that page were still there', () => {
    const session = opened(content('zero one two'), 9);
    session.takeOver(left([7, [0, ' three']]), 0);
    session.takeChange();
    expect(session.status.pending).toBe(1);
    expect(session.outgoing(0)).toMatchObject([
      { t: 'type', base: 1, epoch: 'e1', changes: [7, [0, ' three']] },
    ]);
    session.receive([committed('id-number-1', 10), commit(10, [textStep([12, [0, ' three']])])], 1);
    session.takeChange();
    expect(session.view.text).toBe('zero one two three');
    expect(session.status.pending).toBe(0);
  });

  it('is settled under its id first, and what came after it merged', () => {
    const session = opened(content('zero one two three'), 9);
    session.takeOver(left([13, [0, ' four']], [7, [0, ' three']]), 0);
    session.type([18, [0, '!']], 0);
    expect(session.outgoing(0)).toMatchObject([{ id: 'push-0001', base: 1, changes: [7, [0, ' three']] }]);
    session.takeChange();
    session.receive([committed('push-0001', 5)], 1);
    expect(session.view.text).toBe('zero one two three! four');
    expect(session.takeChange()?.text).toEqual([19, [0, ' four']]);
    expect(session.outgoing(300)).toMatchObject([{ base: 9, changes: [18, [0, '! four']] }]);
  });

  it('is merged into the text as it is where its base is gone', () => {
    const session = opened(content('ONE two'), 900);
    session.takeOver(left([7, [0, ' three']]), 0);
    session.outgoing(0);
    session.receive([rejected('id-number-1', 'base_gone')], 1);
    expect(session.view.text).toBe('ONE two three');
    expect(session.outgoing(1)).toMatchObject([{ base: 900, changes: [7, [0, ' three']] }]);
  });

  it('is handed back where nobody can know whether its push is in', () => {
    const session = opened(content('ONE two'), 900);
    session.takeOver(left([13, [0, ' four']], [7, [0, ' three']]), 0);
    session.outgoing(0);
    session.receive([rejected('push-0001', 'base_gone')], 1);
    expect(session.tray.all()).toMatchObject([{ code: 'uncertain', text: { inserted: [' three'] } }]);
    expect(session.view.text).toBe('ONE two four');
  });

  it('survives the page that has taken it over', () => {
    const session = opened(content('zero one two'), 9);
    session.takeOver(left([13, [0, ' four']], [7, [0, ' three']]), 0);
    expect(session.kept()?.texts).toEqual(left([13, [0, ' four']], [7, [0, ' three']]).texts);
  });
});

/** Some changes to a text: one to three replaced stretches. */
function someChanges(random: Random, length: number): Changes {
  const changes: Changes = [];
  let at = 0;
  for (let n = 1 + random.below(3); n > 0; n--) {
    const from = at + random.below(length - at + 1);
    const to = from + random.below(Math.min(4, length - from + 1));
    if (from > at) changes.push(from - at);
    const inserted = random.pick(['', 'x', 'yy', 'z\nz']);
    if (to > from || inserted) changes.push([to - from, ...(inserted ? inserted.split('\n') : [])]);
    at = to;
  }
  if (length > at) changes.push(length - at);
  return changes;
}

describe('pending text', () => {
  it('is base, flight and waiting one after the other, whatever comes; the view follows what it is told', () => {
    for (const random of seeds(300)) {
      const lane = new PendingText();
      lane.base = lane.view = 'the quick brown fox';
      let editor = lane.view;
      for (let n = 0; n < 30; n++) {
        const told = oneStep(lane, random, n);
        if (told) editor = applyTo(editor, told);
        const flown = lane.flight ? applyTo(lane.base, lane.flight.now) : lane.base;
        const text = lane.waiting ? applyTo(flown, lane.waiting) : flown;
        expect([lane.view, editor], `seed ${random.seed}`).toEqual([text, text]);
      }
    }
  });

  function oneStep(lane: PendingText, random: Random, n: number): Changes | null {
    switch (random.below(6)) {
      case 0: {
        const typed = someChanges(random, lane.view.length);
        lane.type(typed, n);
        return typed;
      }
      case 1:
        if (lane.waiting && !lane.flight) lane.push(`push-${n}`, { epoch: 'e', rev: n, h: `h${n}` }, n);
        return null;
      case 2:
        return lane.flight ? lane.acknowledge(lane.flight.now) : null;
      case 3:
        return lane.flight ? lane.drop() : null;
      case 4:
        if (lane.flight) lane.requeue();
        return null;
      default:
        return lane.applyRemote(someChanges(random, lane.base.length));
    }
  }

  it('finds places of the view in the base and back', () => {
    const lane = new PendingText();
    lane.base = lane.view = 'one two';
    lane.type([3, [0, ' and'], 4], 0);
    lane.push('push', { epoch: 'e', rev: 1, h: 'h1' }, 0);
    lane.type([[0, 'zero '], 11], 1);
    expect(lane.view).toBe('zero one and two');
    expect([0, 5, 8, 12, 16].map((at) => lane.toBase(at))).toEqual([0, 0, 3, 3, 7]);
    expect([0, 3, 7].map((at) => lane.toView(at))).toEqual([0, 8, 16]);
  });
});
