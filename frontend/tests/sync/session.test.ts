// @vitest-environment node
/** The core of a live page, message by message. */
import { expect, it } from 'vitest';
import type { Commit, Content, ServerMessage, State, Step, Welcome } from '../../src/protocol/live';
import { Session } from '../../src/sync/session';

const ME = { id: 'guest:1', name: 'Ada', kind: 'person', color: '#123456' } as const;
const empty: Content = { name: 'W', eol: 'lf', text: 'hello', nodes: [], edges: [] };
const welcome = (resumed = false): Welcome => ({
  t: 'welcome',
  v: 1,
  w: 'w',
  member: 'm1',
  me: ME,
  resumed,
  silence_s: 30,
  limits: { operations: 500, batch_bytes: 1_000_000, document_chars: 2_000_000 },
});
const state = (rev: number, workspace: Content = empty, why: State['why'] = 'fresh'): State => ({
  t: 'state',
  epoch: 'e1',
  rev,
  h: `h${rev}`,
  why,
  workspace,
});
const commit = (rev: number, steps: Step[], more: Partial<Commit> = {}): Commit => ({
  t: 'commit',
  rev,
  h: `h${rev}`,
  at_ms: 0,
  by: { id: 'x', name: 'X', kind: 'person' },
  kind: 'edit',
  ref: null,
  what: '',
  why: '',
  source: 'page',
  steps,
  left_out: [],
  ...more,
});
const committed = (id: string, rev: number, changed = true): ServerMessage => ({
  t: 'committed',
  id,
  rev,
  changed,
  replayed: false,
  kind: 'edit',
  results: [],
  warnings: [],
  left_out: [],
});

function opened(): Session {
  let n = 0;
  const session = new Session(() => `id-number-${++n}`);
  session.hello();
  session.receive([welcome(), state(1)], 0);
  session.takeChange();
  return session;
}

const add = (id: string) => ({
  t: 'submit' as const,
  id: `write-${id}`,
  operations: [{ op: 'add_node', id, type: 'service', label: id.toUpperCase(), position: { x: 0, y: 0 } }],
});

it('shows an edit at once, sends it once, and drops it in the step in which its commit comes', () => {
  const session = opened();
  session.ask(add('a'), 1, false);
  expect([...session.view.nodes.keys()]).toEqual(['a']);
  expect(session.takeChange()).toMatchObject({ nodes: new Set(['a']), status: true });
  expect(session.outbox.take(1)).toMatchObject([{ t: 'submit', id: 'write-a' }]);
  expect(session.outbox.take(2)).toEqual([]);
  const steps: Step[] = [
    { k: 'node+', id: 'a', b: 2, n: { type: 'service', label: 'A', position: { x: 0, y: 0 } } },
  ];
  session.receive([committed('write-a', 2), commit(2, steps)], 3);
  expect(session.view.nodes.get('a')?.birth).toBe(2);
  expect(session.takeSettled()).toMatchObject([{ id: 'write-a', outcome: { kind: 'committed', rev: 2 } }]);
  expect(session.takeChange()).toMatchObject({ status: true });
  expect(session.status).toMatchObject({ pending: 0, saving: 'saved', connection: 'live', reason: '' });
});

it('maps what others type through what is pending here, and lands its own push without a change of the view', () => {
  const session = opened();
  session.type([5, [0, ' world']], 1);
  expect(session.outbox.take(2)).toEqual([]);
  expect(session.outbox.take(251)).toMatchObject([{ t: 'type', base: 1, changes: [5, [0, ' world']] }]);
  session.receive([commit(2, [{ k: 'text', c: [[0, 'oh '], 5], d: [''] }])], 252);
  expect(session.view.text).toBe('oh hello world');
  expect(session.takeChange()?.text).toEqual([[0, 'oh '], 11]);
  session.receive(
    [committed('id-number-1', 3), commit(3, [{ k: 'text', c: [8, [0, ' world']], d: [''] }])],
    253,
  );
  expect(session.takeChange()?.text).toBe(null);
  expect(session.view.text).toBe('oh hello world');
  expect(session.status.pending).toBe(0);
});
