/** What a server says, for tests that play it word by word. */
import type { Commit, Content, Me, ServerMessage, State, Step, Welcome } from '../../src/protocol/live';
import { Session } from '../../src/sync/session/session';

export const ADA: Me = { id: 'guest:ada', name: 'Ada', kind: 'person', color: '#123456' };

export function content(text = '', nodes: Content['nodes'] = []): Content {
  return { name: 'W', eol: 'lf', text, nodes, edges: [] };
}

export function welcome(more: Partial<Welcome> = {}): Welcome {
  const limits = { operations: 500, batch_bytes: 1_000_000, document_chars: 2_000_000 };
  return {
    t: 'welcome',
    v: 1,
    w: 'w',
    member: 'm1',
    me: ADA,
    role: 'owner',
    frozen: null,
    resumed: false,
    silence_s: 30,
    limits,
    ...more,
  };
}

export function state(rev: number, workspace: Content = content(), more: Partial<State> = {}): State {
  return { t: 'state', epoch: 'e1', rev, h: `h${rev}`, why: 'fresh', workspace, ...more };
}

export function commit(rev: number, steps: Step[], more: Partial<Commit> = {}): Commit {
  const by = { id: 'guest:bob', name: 'Bob', kind: 'person' as const };
  const about = { kind: 'edit' as const, ref: null, what: '', why: '', source: 'page', left_out: [] };
  return { t: 'commit', rev, h: `h${rev}`, at_ms: 0, by, ...about, steps, ...more };
}

export function committed(id: string, rev: number, changed = true): ServerMessage {
  const none = { results: [], warnings: [], left_out: [] };
  return { t: 'committed', id, rev, changed, replayed: false, kind: 'edit', ...none };
}

export function rejected(id: string, code: string, retry = false, message = ''): ServerMessage {
  const problem = { index: -1, op: '', code, path: '', message, candidates: [], remedy: 'stop' as const };
  const problems = message ? [problem] : [];
  return { t: 'rejected', id, code, detail: `refused: ${code}`, problems, retry };
}

export const bye = (code: string, again_ms: number | null = null): ServerMessage => ({
  t: 'bye',
  code,
  detail: `goodbye: ${code}`,
  again_ms,
});

/** The step that changes a text. */
export function textStep(c: (number | [number, ...string[]])[], d: string[] = ['']): Step {
  return { k: 'text', c, d };
}

/** The step that adds a node as `add` predicts it, born in a revision. */
export function nodeStep(id: string, rev: number, x = 0): Step {
  return { k: 'node+', id, b: rev, n: { type: 'service', label: id.toUpperCase(), position: { x, y: 0 } } };
}

/** Ask for a node. */
export const add = (id: string, x = 0) => ({
  t: 'submit' as const,
  id: `write-${id}`,
  operations: [{ op: 'add_node', id, type: 'service', label: id.toUpperCase(), position: { x, y: 0 } }],
});

/** Ask for another label. */
export const rename = (id: string, label: string) => ({
  t: 'submit' as const,
  id: `rename-${id}-${label}`,
  operations: [{ op: 'update_node', id, label }],
});

/** A session that is connected and has a state; the ids that it makes are `id-number-1` and so on. */
export function opened(workspace: Content = content('hello'), rev = 1): Session {
  let made = 0;
  const session = new Session(() => `id-number-${++made}`);
  session.hello();
  session.receive([welcome(), state(rev, workspace)], 0);
  session.takeChange();
  return session;
}

/** The connection goes and comes back, and the server says this. */
export function reconnected(session: Session, frame: ServerMessage[], now: number) {
  session.disconnected('', false);
  const hello = session.hello();
  session.receive([welcome({ member: `m${now}`, resumed: frame[0]?.t !== 'state' }), ...frame], now);
  return hello;
}
