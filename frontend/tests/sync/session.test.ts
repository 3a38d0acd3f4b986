/** Writes in the core of a live page: shown at once, settled once, never lost. */
import { describe, expect, it } from 'vitest';
import { Session } from '../../src/sync/session/session';
import {
  ADA,
  add,
  bye,
  commit,
  committed,
  content,
  nodeStep,
  opened,
  reconnected,
  rejected,
  rename,
  state,
  textStep,
  welcome,
} from './messages';

const A = content('', [['a', { birth: 1, type: 'service', label: 'A', position: { x: 0, y: 0 } }]]);

describe('a write', () => {
  it('is seen at once, sent once, and dropped in the step in which its commit comes', () => {
    const session = opened();
    session.ask(add('a'), 1, false);
    expect([...session.view.nodes.keys()]).toEqual(['a']);
    expect(session.takeChange()).toMatchObject({ nodes: new Set(['a']), status: true });
    expect(session.status).toMatchObject({ pending: 1, saving: 'saving' });
    expect(session.outgoing(1)).toMatchObject([{ t: 'submit', id: 'write-a' }]);
    expect(session.outgoing(2)).toEqual([]);
    session.receive([committed('write-a', 2), commit(2, [nodeStep('a', 2)])], 3);
    expect(session.view.nodes.get('a')?.birth).toBe(2);
    expect(session.takeSettled()).toMatchObject([{ id: 'write-a', outcome: { kind: 'committed', rev: 2 } }]);
    expect(session.takeChange()).toMatchObject({ status: true, commits: [{ rev: 2 }] });
    expect(session.status).toEqual({ connection: 'live', pending: 0, saving: 'saved', reason: '', risk: '' });
  });

  it('stays pending, and is shown, until the commit that it became has come', () => {
    const session = opened();
    session.ask(add('a'), 1, false);
    session.outgoing(1);
    session.receive([committed('write-a', 3)], 2);
    session.receive([commit(2, [nodeStep('b', 2)])], 3);
    expect([...session.view.nodes.keys()].sort()).toEqual(['a', 'b']);
    expect(session.takeSettled()).toEqual([]);
    session.receive([commit(3, [nodeStep('a', 3)])], 4);
    expect(session.takeSettled()).toHaveLength(1);
    expect(session.writes.size).toBe(0);
  });

  it('that changed nothing, or whose commit came before, is settled at once', () => {
    const session = opened(A, 5);
    session.ask(rename('a', 'A'), 1, false);
    session.ask(rename('a', 'B'), 1, false);
    session.outgoing(1);
    session.receive([committed('rename-a-A', 5, false), committed('rename-a-B', 4)], 2);
    expect(session.takeSettled().map(({ id }) => id)).toEqual(['rename-a-A', 'rename-a-B']);
  });

  it('is predicted anew on what others did, and shows nothing where it does not fit any more', () => {
    const session = opened(A);
    session.ask(rename('a', 'B'), 1, false);
    session.outgoing(1);
    const moved = {
      k: 'node=' as const,
      id: 'a',
      b: 1,
      v: {
        position: [
          { x: 0, y: 0 },
          { x: 9, y: 9 },
        ],
      },
    };
    session.receive([commit(2, [moved as never])], 2);
    expect(session.view.nodes.get('a')).toMatchObject({ label: 'B', position: { x: 9, y: 9 } });
    const gone = { type: 'service', label: 'A', position: { x: 9, y: 9 } };
    session.receive([commit(3, [{ k: 'node-', id: 'a', b: 1, n: gone }])], 3);
    expect(session.view.nodes.size).toBe(0);
    session.takeChange();
    expect(session.status.pending).toBe(1);
  });

  it('is told to what draws, with all that it changes, once others have made it fit', () => {
    const session = opened(A);
    const operations = [...rename('a', 'B').operations, ...rename('z', 'Z').operations];
    session.ask({ t: 'submit', id: 'both', operations }, 1, false);
    expect(session.view.nodes.get('a')?.label).toBe('A');
    session.takeChange();
    session.receive([commit(2, [nodeStep('z', 2)])], 2);
    expect(session.view.nodes.get('a')?.label).toBe('B');
    expect(session.takeChange()).toMatchObject({ nodes: new Set(['a', 'z']) });
  });

  it('that the page cannot predict shows nothing until it is there', () => {
    const session = opened();
    session.ask(
      { t: 'submit', id: 'layout-1', operations: [{ op: 'layout_diagram', scope: 'all' }] },
      1,
      false,
    );
    expect(session.takeChange()).toMatchObject({ nodes: new Set(), status: true });
    expect(session.outgoing(1)).toHaveLength(1);
  });

  it('does not wait for the answer to one before it', () => {
    const session = opened();
    session.ask(add('a'), 0, false);
    expect(session.outgoing(0)).toMatchObject([{ id: 'write-a' }]);
    session.ask(add('b'), 1, false);
    expect(session.outgoing(1)).toMatchObject([{ id: 'write-b' }]);
  });

  it('that is refused is taken back and stands in the tray with what and why', () => {
    const session = opened(A);
    session.ask(rename('a', 'B'), 7, false);
    session.outgoing(7);
    session.receive([rejected('rename-a-B', 'batch_rejected', false, "There is no node 'a'.")], 8);
    expect(session.view.nodes.get('a')?.label).toBe('A');
    expect(session.tray.all()).toMatchObject([
      {
        id: 'rename-a-B',
        at: 8,
        what: 'Rename “a” to “B”',
        why: "There is no node 'a'.",
        code: 'batch_rejected',
      },
    ]);
    expect(session.takeSettled()).toMatchObject([{ outcome: { kind: 'rejected', code: 'batch_rejected' } }]);
    expect(session.takeChange()).toMatchObject({ tray: true, nodes: new Set(['a']) });
  });

  it('that is refused for what others have deleted says what that was called', () => {
    const session = opened(A);
    session.ask(rename('a', 'B'), 7, false);
    session.outgoing(7);
    const gone = { type: 'service', label: 'A', position: { x: 0, y: 0 } };
    session.receive([commit(2, [{ k: 'node-', id: 'a', b: 1, n: gone }])], 8);
    session.receive([rejected('rename-a-B', 'node_not_found', false, "There is no node 'a'.")], 9);
    expect(session.tray.all()).toMatchObject([{ why: 'A has been deleted meanwhile.' }]);
  });

  it('that takes back is told to who asked when it is refused, and leaves nothing in the tray', () => {
    const session = opened();
    session.ask({ t: 'undo', id: 'undo-1234' }, 1, true);
    session.outgoing(1);
    session.receive([rejected('undo-1234', 'nothing_to_undo')], 2);
    expect(session.tray.all()).toEqual([]);
    expect(session.takeSettled()).toMatchObject([{ outcome: { code: 'nothing_to_undo' } }]);
  });

  it('made before the first state is shown on top of it', () => {
    const session = opened(content(), 1);
    session.disconnected('', false);
    session.ask(add('b'), 1, false);
    session.hello();
    session.receive([welcome(), state(9, A, { why: 'trimmed' })], 2);
    expect([...session.view.nodes.keys()].sort()).toEqual(['a', 'b']);
  });
});

describe('a write that the server does not take now', () => {
  it('is sent again under its id, later and later, and what comes behind it waits', () => {
    const session = opened();
    session.ask(add('a'), 0, false);
    session.ask(add('b'), 0, false);
    expect(session.outgoing(0)).toHaveLength(2);
    session.receive([rejected('write-a', 'storage_down', true)], 10);
    session.takeChange();
    expect(session.status).toMatchObject({ pending: 2, saving: 'not_saving' });
    expect(session.status.reason).toContain('refused: storage_down');
    // The second is on its way; nothing is sent before it is answered, and not before the pause is over.
    expect(session.outgoing(5_000)).toEqual([]);
    session.receive([rejected('write-b', 'storage_down', true)], 20);
    expect(session.outgoing(500)).toEqual([]);
    expect(session.due(500)).toBe(20 + 1_000);
    expect(session.outgoing(1_020).map((message) => 'id' in message && message.id)).toEqual([
      'write-a',
      'write-b',
    ]);
  });

  it('is tried again every ten seconds in the end, and is overdue after thirty without an answer', () => {
    const session = opened();
    session.ask(add('a'), 0, false);
    let now = 0;
    const waits = [];
    for (let tries = 0; tries < 7; tries++) {
      expect(session.outgoing(now)).toHaveLength(1);
      expect(session.outbox.overdue()).toBe(now + 30_000);
      session.receive([rejected('write-a', 'busy', true)], now);
      waits.push(session.due(now) - now);
      now = session.due(now);
    }
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  });

  it('waits as at first once another was taken', () => {
    const session = opened();
    session.ask(add('a'), 0, false);
    session.outgoing(0);
    session.receive([rejected('write-a', 'busy', true)], 0);
    session.outgoing(500);
    session.receive([committed('write-a', 2), commit(2, [nodeStep('a', 2)])], 510);
    session.ask(add('b'), 520, false);
    expect(session.outgoing(520)).toMatchObject([{ id: 'write-b' }]);
    session.receive([rejected('write-b', 'busy', true)], 600);
    expect(session.due(600)).toBe(600 + 500);
  });

  it('goes at once when the store is back', () => {
    const session = opened();
    session.ask(add('a'), 0, false);
    session.outgoing(0);
    session.receive([{ t: 'store', ok: false }, rejected('write-a', 'storage_down', true)], 10);
    expect(session.outgoing(11)).toEqual([]);
    session.receive([{ t: 'store', ok: true }], 12);
    expect(session.outgoing(12)).toMatchObject([{ id: 'write-a' }]);
    session.takeChange();
    expect(session.status).toMatchObject({ saving: 'saving', reason: '' });
  });

  it('does not let what builds on it be refused', () => {
    const session = opened();
    session.ask(add('a'), 0, false);
    session.ask(rename('a', 'B'), 0, false);
    session.outgoing(0);
    session.receive([rejected('write-a', 'busy', true), rejected('rename-a-B', 'batch_rejected')], 1);
    expect(session.tray.all()).toEqual([]);
    expect(session.outgoing(600)).toMatchObject([{ id: 'write-a' }, { id: 'rename-a-B' }]);
  });

  it('lets be refused what stands before it', () => {
    const session = opened(content('hello'));
    session.ask(add('a'), 0, false);
    session.type([5, [0, '!']], 0);
    expect(session.outgoing(250)).toHaveLength(2);
    session.receive([rejected('id-number-1', 'busy', true), rejected('write-a', 'batch_rejected')], 260);
    expect(session.tray.all()).toMatchObject([{ id: 'write-a', code: 'batch_rejected' }]);
    expect(session.outgoing(760)).toMatchObject([{ id: 'id-number-1' }]);
  });

  it('says why nothing is saved, in the words of the server, and knows what the store may lose', () => {
    const session = opened();
    const risks = [{ code: 'appendfsync', detail: 'Late.', remedy: 'Set it.' }];
    session.receive([{ t: 'store', ok: true, risks }], 1);
    expect(session.outbox.storeRisks).toEqual(risks);
    expect(session.status).toMatchObject({ saving: 'saved', reason: '' });
    session.receive([{ t: 'store', ok: false, reason: 'It was emptied.' }], 2);
    session.takeChange();
    expect(session.status).toMatchObject({ saving: 'not_saving', reason: 'Not saving: It was emptied.' });
    expect(session.outbox.storeRisks).toEqual([]);
  });

  it('says that nothing is being saved while the store is down, also before anybody writes', () => {
    const session = opened();
    session.receive([{ t: 'store', ok: false }], 1);
    session.takeChange();
    expect(session.status).toMatchObject({ pending: 0, saving: 'not_saving' });
  });
});

describe('a new connection', () => {
  it('goes on where the last one ended, and settles what was committed meanwhile without sending it again', () => {
    const session = opened();
    session.ask(add('a'), 0, false);
    session.outgoing(0);
    const frame = [committed('write-a', 2), commit(2, [nodeStep('a', 2)])];
    const hello = reconnected(session, frame, 5);
    expect(hello).toEqual({
      t: 'hello',
      v: 2,
      resume: { epoch: 'e1', rev: 1, h: 'h1' },
      pending: ['write-a'],
    });
    expect(session.outgoing(5)).toEqual([]);
    expect(session.takeSettled()).toHaveLength(1);
  });

  it('is sent everything that is not settled, in order and under the same ids', () => {
    const session = opened();
    session.ask(add('a'), 0, false);
    session.outgoing(0);
    session.ask(add('b'), 1, false);
    expect(reconnected(session, [], 5).pending).toEqual(['write-a']);
    expect(session.outgoing(5)).toMatchObject([{ id: 'write-a' }, { id: 'write-b' }]);
  });

  it('is not asked again for what was told to be durable', () => {
    const session = opened();
    session.ask(add('a'), 0, false);
    session.outgoing(0);
    session.receive([committed('write-a', 2)], 1);
    reconnected(session, [commit(2, [nodeStep('a', 2)])], 5);
    expect(session.outgoing(5)).toEqual([]);
    expect(session.takeSettled()).toHaveLength(1);
  });

  it('settles what was told by a whole state that holds it', () => {
    const session = opened();
    session.ask(add('a'), 0, false);
    session.outgoing(0);
    session.receive([committed('write-a', 2)], 1);
    reconnected(session, [state(2, A, { why: 'behind' })], 5);
    expect(session.takeSettled()).toHaveLength(1);
    expect(session.view.nodes.get('a')?.birth).toBe(1);
  });

  it('is asked again for what another log was told to have', () => {
    for (const more of [{ why: 'diverged' as const }, { epoch: 'e2', why: 'trimmed' as const }]) {
      const session = opened();
      session.ask(add('a'), 0, false);
      session.outgoing(0);
      session.receive([committed('write-a', 2)], 1);
      reconnected(session, [state(2, content(), more)], 5);
      const sent = session.outgoing(5);
      expect(sent).toHaveLength(1);
      expect(session.takeSettled()).toEqual([]);
    }
  });

  it('is sent at once what the last one was to wait with', () => {
    const session = opened();
    session.ask(add('a'), 0, false);
    session.outgoing(0);
    session.receive([rejected('write-a', 'storage_down', true)], 10);
    expect(session.outgoing(11)).toEqual([]);
    reconnected(session, [], 12);
    expect(session.outgoing(12)).toMatchObject([{ id: 'write-a' }]);
  });

  it('as somebody else puts aside what may have been done under the name before', () => {
    const session = opened();
    session.ask(add('a'), 0, false);
    session.outgoing(0);
    session.ask(add('b'), 0, false);
    session.disconnected('', false);
    session.hello();
    session.receive([welcome({ me: { ...ADA, id: 'guest:eve' }, resumed: true })], 5);
    expect(session.tray.all()).toMatchObject([{ id: 'write-a', code: 'uncertain' }]);
    expect(session.outgoing(5)).toMatchObject([{ id: 'write-b' }]);
  });
});

describe('a log that was cut where the page stood', () => {
  function doubtful(why: 'trimmed' | 'fresh' = 'trimmed') {
    const session = opened();
    session.ask(add('a'), 0, false);
    session.outgoing(0);
    session.ask(add('b'), 0, false);
    reconnected(session, [state(50, content(), { why })], 5);
    const question = { t: 'type', id: 'id-number-1', epoch: 'e1', base: 1, changes: [] };
    expect(session.outgoing(5)).toEqual([question]);
    expect(session.outgoing(6)).toEqual([]);
    return session;
  }

  // `fresh` comes to a page that asked for the whole state and lost its connection before it came.
  it.each(['trimmed', 'fresh'] as const)(
    'is asked whether it remembers; if not, what was sent is put aside (%s)',
    (why) => {
      const session = doubtful(why);
      session.receive([rejected('id-number-1', 'base_gone')], 7);
      expect(session.tray.all()).toMatchObject([{ id: 'write-a', code: 'uncertain' }]);
      expect(session.outgoing(7)).toMatchObject([{ id: 'write-b' }]);
    },
  );

  it('is sent it again if it does: it then knows the id', () => {
    const session = doubtful();
    session.receive([rejected('id-number-1', 'invalid_request')], 7);
    expect(session.outgoing(7)).toMatchObject([{ id: 'write-a' }, { id: 'write-b' }]);
  });

  it('is asked once about all that was sent at the same revision, or later', () => {
    const session = opened();
    for (const id of ['a', 'b']) session.ask(add(id), 0, false);
    session.outgoing(0);
    session.receive([commit(2, [nodeStep('x', 2)])], 1);
    session.ask(add('c'), 2, false);
    session.outgoing(2);
    reconnected(session, [state(50, content(), { why: 'trimmed' })], 5);
    expect(session.outgoing(5)).toMatchObject([{ t: 'type', id: 'id-number-1', base: 1 }]);
    session.receive([rejected('id-number-1', 'invalid_request')], 7);
    expect(session.outgoing(7)).toMatchObject([{ id: 'write-a' }, { id: 'write-b' }, { id: 'write-c' }]);
  });

  it('is asked when no typed text is on its way: one push at a time', () => {
    const session = opened(content('hello'));
    session.ask(add('a'), 0, false);
    session.outgoing(0);
    reconnected(session, [state(50, content('hello'), { why: 'trimmed' })], 5);
    session.type([5, [0, '!']], 6);
    expect(session.outgoing(256)).toMatchObject([{ t: 'type', changes: [5, [0, '!']] }]);
    session.receive([committed('id-number-1', 51), commit(51, [textStep([5, [0, '!']])])], 260);
    expect(session.outgoing(260)).toMatchObject([{ t: 'type', id: 'id-number-2', changes: [] }]);
  });

  it('is asked again over the next connection if this one ends before the answer', () => {
    const session = doubtful();
    reconnected(session, [], 10);
    expect(session.outgoing(10)).toMatchObject([{ t: 'type', id: 'id-number-2', base: 1, changes: [] }]);
    session.receive([rejected('id-number-2', 'invalid_request')], 11);
    expect(session.outgoing(11)).toMatchObject([{ id: 'write-a' }, { id: 'write-b' }]);
  });

  it('is asked again over the next connection about what was sent and has no answer: it may have been cut since', () => {
    const session = doubtful();
    session.receive([rejected('id-number-1', 'invalid_request')], 7);
    expect(session.outgoing(7)).toMatchObject([{ id: 'write-a' }, { id: 'write-b' }]);
    reconnected(session, [], 10);
    // Of the second one nothing is in doubt: this page has seen every commit since it was sent first.
    expect(session.outgoing(10)).toMatchObject([{ t: 'type', id: 'id-number-2', base: 1, changes: [] }]);
    session.receive([rejected('id-number-2', 'base_gone')], 11);
    expect(session.tray.all()).toMatchObject([{ id: 'write-a', code: 'uncertain' }]);
    expect(session.outgoing(11)).toMatchObject([{ id: 'write-b' }]);
  });

  it('is asked again after a pause if it has no answer now', () => {
    const session = doubtful();
    session.receive([rejected('id-number-1', 'storage_down', true)], 7);
    expect(session.outgoing(8)).toEqual([]);
    expect(session.outgoing(600)).toMatchObject([{ t: 'type', changes: [] }]);
  });
});

describe('what does not fit the page', () => {
  it.each([
    ['a gap', commit(3, [])],
    ['a step that does not fit', commit(2, [{ k: 'name', v: ['another', 'name'] }])],
    ['a step of a kind from a newer server', commit(2, [{ k: 'sparkle' } as never])],
  ])('%s makes it ask for the whole state, and send nothing before that', (_, message) => {
    const session = opened();
    session.ask(add('a'), 0, false);
    session.receive([message], 1);
    expect(session.outgoing(1)).toMatchObject([{ t: 'resync' }]);
    expect(session.outgoing(2)).toEqual([]);
    session.receive([commit(4, [nodeStep('x', 4)])], 3);
    expect([...session.view.nodes.keys()]).toEqual(['a']);
    session.receive([state(9, A, { why: 'asked' })], 4);
    expect(session.outgoing(4)).toMatchObject([{ id: 'write-a' }]);
  });

  it('is not resumed from', () => {
    const session = opened();
    session.receive([commit(3, [])], 1);
    expect(reconnected(session, [state(3)], 2).resume).toBe(null);
    session.ask(add('a'), 3, false);
    expect(session.outgoing(3)).toHaveLength(1);
  });

  it('is no matter where it came before', () => {
    const session = opened();
    session.receive([commit(1, [nodeStep('x', 1)])], 1);
    expect(session.outgoing(1)).toEqual([]);
    expect(session.view.nodes.size).toBe(0);
  });
});

describe('something that the server cannot read', () => {
  /** One of two writes cannot be read; the first has gone through since, and the second is on its way alone. */
  const withTheLastAlone = () => {
    const session = opened();
    for (const id of ['a', 'b']) session.ask(add(id), 0, false);
    session.outgoing(0);
    session.receive([bye('invalid_message')], 1);
    reconnected(session, [], 2);
    session.outgoing(2);
    session.receive([committed('write-a', 2), commit(2, [nodeStep('a', 2)])], 3);
    session.outgoing(3);
    return session;
  };

  it('is found by sending one by one, and put aside; the others go through', () => {
    const session = opened();
    for (const id of ['a', 'b', 'c']) session.ask(add(id), 0, false);
    expect(session.outgoing(0)).toHaveLength(3);
    session.receive([bye('invalid_message')], 1);
    expect(session.lastBye?.again_ms).toBe(0);
    reconnected(session, [], 2);
    expect(session.outgoing(2)).toMatchObject([{ id: 'write-a' }]);
    expect(session.outgoing(3)).toEqual([]);
    session.receive([committed('write-a', 2), commit(2, [nodeStep('a', 2)])], 4);
    expect(session.outgoing(4)).toMatchObject([{ id: 'write-b' }]);
    session.receive([bye('invalid_message')], 5);
    expect(session.tray.all()).toMatchObject([{ id: 'write-b', code: 'invalid_message' }]);
    reconnected(session, [], 6);
    expect(session.outgoing(6)).toMatchObject([{ id: 'write-c' }]);
  });

  it('is not what happens to be on its way alone, before that was sent again', () => {
    const session = opened();
    session.ask(add('a'), 0, false);
    session.outgoing(0);
    session.receive([bye('invalid_message')], 1);
    expect(session.tray.all()).toEqual([]);
    reconnected(session, [], 2);
    expect(session.outgoing(2)).toMatchObject([{ id: 'write-a' }]);
    session.receive([bye('invalid_message')], 3);
    expect(session.tray.all()).toMatchObject([{ id: 'write-a' }]);
  });

  it('is looked for where the server names what is not on its way', () => {
    const session = opened();
    for (const id of ['a', 'b']) session.ask(add(id), 0, false);
    session.outgoing(0);
    session.receive([{ ...bye('invalid_message'), id: 'another' } as never], 1);
    reconnected(session, [], 2);
    expect(session.outgoing(2)).toMatchObject([{ id: 'write-a' }]);
  });

  it('is found where it is the last', () => {
    const session = withTheLastAlone();
    session.receive([bye('invalid_message')], 4);
    expect(session.tray.all()).toMatchObject([{ id: 'write-b', code: 'invalid_message' }]);
  });

  it('is looked for until everything is through; what is made later goes together again', () => {
    const session = withTheLastAlone();
    session.receive([committed('write-b', 3), commit(3, [nodeStep('b', 3)])], 4);
    for (const id of ['c', 'd']) session.ask(add(id), 5, false);
    expect(session.outgoing(5)).toMatchObject([{ id: 'write-c' }, { id: 'write-d' }]);
  });

  it('is put aside at once where the server names it; the others are sent again together', () => {
    const session = opened();
    for (const id of ['a', 'b', 'c']) session.ask(add(id), 0, false);
    session.outgoing(0);
    session.receive([{ ...bye('invalid_message'), id: 'write-b' } as never], 1);
    expect(session.tray.all()).toMatchObject([{ id: 'write-b', code: 'invalid_message' }]);
    reconnected(session, [], 2);
    expect(session.outgoing(2)).toMatchObject([{ id: 'write-a' }, { id: 'write-c' }]);
  });

  it('is nothing of a page that has sent nothing: then the server is taken at its word', () => {
    const session = opened();
    session.receive([bye('invalid_message')], 1);
    expect(session.lastBye?.again_ms).toBe(null);
  });
});

describe('order', () => {
  it('lets nothing that takes back go before what was typed', () => {
    const session = opened(content('hello'));
    session.type([5, [0, '!']], 0);
    session.ask({ t: 'undo', id: 'undo-1234' }, 1, true);
    expect(session.outgoing(1)).toMatchObject([{ t: 'type' }, { t: 'undo' }]);
  });

  it('holds it while a push before it is on its way and more waits, or has to be sent again', () => {
    const session = opened(content('hello'));
    session.type([5, [0, '!']], 0);
    expect(session.outgoing(250)).toMatchObject([{ t: 'type' }]);
    session.type([6, [0, '?']], 260);
    session.ask({ t: 'undo', id: 'undo-1234' }, 261, true);
    session.ask(add('a'), 262, false);
    expect(session.outgoing(262)).toEqual([]);
    session.receive([rejected('id-number-1', 'busy', true)], 270);
    expect(session.outgoing(300)).toEqual([]);
    expect(session.outgoing(770)).toMatchObject([{ t: 'type', id: 'id-number-1' }]);
    session.receive([committed('id-number-1', 2), commit(2, [textStep([5, [0, '!']])])], 780);
    const ids = session.outgoing(781).map((message) => message.t);
    expect(ids).toEqual(['type', 'undo', 'submit']);
  });
});

describe('typed text that waits behind that of a page that is gone', () => {
  it('holds what takes back, and nothing that does not follow it', () => {
    const gone = opened(content('hello'));
    gone.type([5, [0, '?']], 0);
    gone.outgoing(250);
    const session = opened(content('hello'));
    session.type([5, [0, '!']], 0);
    session.outgoing(250);
    session.takeOver(JSON.parse(JSON.stringify(gone.kept()).replaceAll('id-number', 'its-number')), 260);
    reconnected(session, [], 270);
    session.ask(add('a'), 271, false);
    session.ask({ t: 'undo', id: 'undo-1234' }, 272, true);
    expect(session.outgoing(272)).toMatchObject([{ id: 'its-number-1' }, { id: 'write-a' }]);
    session.receive([committed('its-number-1', 2), commit(2, [textStep([5, [0, '?']])])], 280);
    expect(session.outgoing(281)).toMatchObject([{ id: 'id-number-1' }, { id: 'undo-1234' }]);
  });
});

describe('what takes back', () => {
  it('goes over the next connection behind typed text that is durable, though its commit has not come', () => {
    const session = opened(content('hello'));
    session.type([5, [0, '!']], 0);
    session.outgoing(250);
    session.receive([committed('id-number-1', 2)], 260);
    reconnected(session, [], 270);
    session.ask({ t: 'undo', id: 'undo-1234' }, 271, true);
    expect(session.outgoing(271)).toMatchObject([{ t: 'undo' }]);
  });
});

describe('what is kept', () => {
  it('is everything that is not settled, and nothing when all is', () => {
    const session = opened(content('hello'));
    expect(session.kept()).toBe(null);
    const before = session.keptVersion;
    session.ask(add('a'), 1, false);
    session.type([5, [0, '!']], 2);
    expect(session.keptVersion).toBeGreaterThan(before);
    expect(session.kept()).toMatchObject({
      actor: ADA.id,
      writes: [{ message: { id: 'write-a' }, at: 1, sentAt: null }],
      texts: [{ text: 'hello', epoch: 'e1', rev: 1, flight: null, waiting: [5, [0, '!']] }],
      tray: [],
    });
    session.outgoing(1_000);
    expect(session.kept()).toMatchObject({ writes: [{ sentAt: { epoch: 'e1', rev: 1 } }] });
    expect(structuredClone(session.kept())).toEqual(session.kept());
  });

  it('is taken over by another page: shown, sent under the same id, put into its tray', () => {
    const first = opened(content('hello'));
    first.ask(add('a'), 1, false);
    first.ask(add('bad'), 1, false);
    first.outgoing(1);
    first.receive([rejected('write-bad', 'batch_rejected')], 2);
    const second = opened(content('hello'));
    second.takeOver(structuredClone(first.kept()) as never, 9);
    expect([...second.view.nodes.keys()]).toEqual(['a']);
    expect(second.tray.all()).toEqual(first.tray.all());
    // It was sent: whether the server remembers so far back is asked first.
    expect(second.outgoing(9)).toMatchObject([{ t: 'type', base: 1, changes: [] }]);
    second.receive([rejected('id-number-1', 'invalid_request')], 10);
    expect(second.outgoing(10)).toMatchObject([{ id: 'write-a' }]);
  });

  it('is not called uncertain where its commit comes before the answer to the query about it', () => {
    const first = opened(content('hello'));
    first.ask(add('a'), 1, false);
    first.outgoing(1);
    const second = opened(content('hello'));
    second.takeOver(structuredClone(first.kept()) as never, 9);
    expect(second.outgoing(9)).toMatchObject([{ t: 'type', changes: [] }]);
    second.receive([committed('write-a', 2), commit(2, [nodeStep('a', 2)])], 10);
    second.receive([rejected('id-number-1', 'base_gone')], 11);
    expect([second.tray.all(), second.status.pending, [...second.view.nodes.keys()]]).toEqual([[], 0, ['a']]);
    second.ask(add('b'), 12, false);
    expect(second.outgoing(12)).toMatchObject([{ id: 'write-b' }]);
  });

  it('is, of an undo, what it follows: it takes back that, on another page too', () => {
    const first = opened();
    first.ask(add('a'), 0, false);
    first.outgoing(0);
    first.takeBack('undo-1234', 1, () => true);
    const second = opened();
    second.takeOver(structuredClone(first.kept()) as never, 9);
    expect([...second.view.nodes.keys()]).toEqual([]);
    second.outgoing(9);
    second.receive([rejected('id-number-1', 'invalid_request')], 10);
    expect(second.outgoing(10)).toMatchObject([{ id: 'write-a' }]);
    second.receive([committed('write-a', 2), commit(2, [nodeStep('a', 2)])], 11);
    expect(second.outgoing(11)).toMatchObject([{ id: 'undo-1234', expect: 2 }]);
  });
});

describe('the draft of who may propose and not change', () => {
  const commenter = () => {
    const session = new Session(() => 'id');
    session.hello();
    session.receive([welcome({ role: 'commenter' }), state(1, A)], 0);
    session.takeChange();
    return session;
  };

  it('is seen and settled at once, and never sent', () => {
    const session = commenter();
    session.ask(add('b'), 1, false);
    expect([...session.view.nodes.keys()]).toEqual(['a', 'b']);
    expect(session.outgoing(2)).toEqual([]);
    expect(session.due(2)).toBe(Number.POSITIVE_INFINITY);
    expect(session.takeSettled()).toMatchObject([{ outcome: { kind: 'committed', changed: true } }]);
    expect(session.takeChange()).toMatchObject({ drafts: true, nodes: new Set(['b']) });
    expect(session.status).toMatchObject({ pending: 0, saving: 'saved' });
    expect(session.drafts).toMatchObject([{ isShown: true, operations: [{ op: 'add_node' }] }]);
  });

  it('stays on top of what others do, and says what no longer fits', () => {
    const session = commenter();
    session.ask(rename('a', 'B'), 1, false);
    session.receive([commit(2, [nodeStep('c', 2)])], 2);
    expect(session.view.nodes.get('a')?.label).toBe('B');
    session.receive(
      [
        commit(3, [
          {
            k: 'node-',
            id: 'a',
            b: 1,
            n: { type: 'service', label: 'A', position: { x: 0, y: 0 } },
          } as never,
        ]),
      ],
      3,
    );
    expect(session.drafts.map(({ isShown }) => isShown)).toEqual([false]);
  });

  it('is taken back from its end, dropped once it is proposed, and kept for the next page', () => {
    const session = commenter();
    session.ask(add('b'), 1, false);
    session.ask(add('c'), 2, false);
    session.takeBack('undo', 3, () => true);
    expect([...session.view.nodes.keys()]).toEqual(['a', 'b']);
    const next = commenter();
    next.takeOver(session.kept() as never, 4);
    expect([...next.view.nodes.keys()]).toEqual(['a', 'b']);
    expect(next.outgoing(5)).toEqual([]);
    next.dropDrafts(next.drafts.map(({ id }) => id));
    expect([...next.view.nodes.keys()]).toEqual(['a']);
    expect([next.kept(), next.drafts]).toEqual([null, []]);
  });
});
