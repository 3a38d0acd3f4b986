/** What this page knows of the assistant of a workspace, before a server that a test plays call by call. */
import { describe, expect, it, vi } from 'vitest';
import type { Turn } from '../../src/model/assistant/card';
import { statusOf } from '../../src/model/assistant/card';
import { ApiError } from '../../src/protocol/http';
import type { LiveProposal, LiveRun } from '../../src/protocol/live';
import type { EditMode, Rating, Run, Talk, WorkspaceSwitch } from '../../src/protocol/types';
import { type AssistantCalls, AssistantStore } from '../../src/sync/assistant/assistant';
import type { ViewChange } from '../../src/sync/client/client';
import { HandClock } from './handClock';
import { ADA } from './messages';

const AT = new Date(1_000_000).toISOString();
const BEN = { id: 'guest:ben', name: 'Ben', kind: 'person' };

const run = (id: string, more: Partial<Run> = {}): Run =>
  ({
    id,
    status: 'running',
    workflow: 'edit',
    mode: 'auto',
    prompt: `do ${id}`,
    focus: { nodes: [], edges: [], section: null, range: null },
    actor: ADA,
    outcome: null,
    created_at: AT,
    updated_at: AT,
    ...more,
  }) as unknown as Run;
const talk = (id: string, more: Partial<Talk> = {}): Talk =>
  ({
    id: `${id}-0`,
    at: AT,
    run: id,
    actor: ADA,
    workflow: 'edit',
    prompt: `do ${id}`,
    status: 'applied',
    ...more,
  }) as unknown as Talk;

/** A live connection that says what a test lets it say. */
class Live {
  me = ADA as never;
  status = { connection: 'live' } as never;
  runs: readonly LiveRun[] = [];
  proposals: readonly LiveProposal[] = [];
  readonly watched = new Map<string, (id: string, event: Record<string, unknown>) => void>();
  private listener: (change: ViewChange) => void = () => undefined;

  subscribe = (listener: (change: ViewChange) => void) => {
    this.listener = listener;
    return () => undefined;
  };
  watchRun = (id: string, after: string, listener: (id: string, event: Record<string, unknown>) => void) => {
    expect(after).toBe('0');
    this.watched.set(id, listener);
    return () => this.watched.delete(id);
  };
  tell(what: Partial<ViewChange>) {
    this.listener(what as ViewChange);
  }
  say(runs: Run[]) {
    this.runs = runs;
    this.tell({ runs: true });
  }
}

/** A server that knows these runs and turns. */
class Server {
  runs: Run[] = [];
  talks: Talk[] = [];
  nextCursor: string | null = null;
  readonly startRun = vi.fn(async (_: string, body: { id?: string | null; prompt: string }) => {
    const started = run(`server-${this.runs.length + 1}`, { prompt: body.prompt });
    this.runs = [started, ...this.runs];
    return started;
  });

  readonly rateRun = vi.fn(async (_: string, id: string, rating: Rating | null) => run(id, { rating }));
  readonly setSwitch = vi.fn(async (_: string, change: Partial<WorkspaceSwitch>) => change);

  calls(): AssistantCalls {
    return {
      readAssistant: async () => ({ provider: 'builtin' }) as never,
      readSwitch: async () => ({ enabled: true, edit_mode: null, provider: null, answers: null }),
      setSwitch: this.setSwitch as never,
      rateRun: this.rateRun as never,
      answerApproval: async (_, id) => run(id),
      forgetKey: async () => ({ provider: 'builtin' }) as never,
      startRun: this.startRun as never,
      readRun: async (_, id) => this.runs.find((one) => one.id === id) as Run,
      listRuns: async () => this.runs,
      listProposals: async () => [],
      cancelRun: async (_, id) => this.end(id, 'cancelled'),
      listConversation: async (_, cursor) =>
        cursor === null
          ? { items: this.talks, next_cursor: this.nextCursor }
          : { items: [talk('oldest', { at: new Date(1).toISOString() })], next_cursor: null },
      clearConversation: async () => {
        this.talks = [];
      },
    };
  }

  end(id: string, status: Run['status']): Run {
    const ended = run(id, { status, outcome: { revision: 2 } as never });
    this.runs = this.runs.map((one) => (one.id === id ? ended : one));
    this.talks = [talk(id, { status }), ...this.talks];
    return ended;
  }
}

const UNREACHABLE = { status: 0, code: 'unreachable', detail: 'No answer.', problems: [] };

async function opened(server = new Server(), live = new Live()) {
  const clock = new HandClock();
  const store = new AssistantStore(live, 'w', server.calls(), clock);
  await clock.pass(0);
  return { store, live, server, clock, turns: () => store.state.getState().turns };
}
const said = (turns: readonly Turn[]) => turns.map((turn) => [turn.run, statusOf(turn)]);

describe('the assistant of a workspace', () => {
  it('shows a request at once, under the name of the server as soon as that is known', async () => {
    const { store, turns, live, clock } = await opened();
    const asked = store.ask('add a cache');
    expect(turns()).toMatchObject([{ isMine: true, record: { prompt: 'add a cache', status: 'running' } }]);
    await asked;
    await clock.pass(0);
    expect(said(turns())).toEqual([['server-1', 'running']]);
    expect([...live.watched.keys()]).toEqual(['server-1']);
  });

  it('shows a request once, also where the connection tells of it before the answer comes', async () => {
    const { store, turns, live, server, clock } = await opened();
    let answer: (run: Run) => void = () => undefined;
    server.startRun.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)) as never);
    const asked = store.ask('add a cache');
    const started = run('server-9', { prompt: 'add a cache' });
    live.say([started]);
    expect(said(turns())).toEqual([['server-9', 'running']]);
    answer(started);
    await asked;
    await clock.pass(0);
    expect(said(turns())).toEqual([['server-9', 'running']]);
  });

  it('knows that the server has a request of which the connection told, also where no answer came', async () => {
    const { store, turns, live, server, clock } = await opened();
    let lose: (error: Error) => void = () => undefined;
    server.startRun.mockReturnValueOnce(new Promise((_, reject) => (lose = reject)) as never);
    const asked = store.ask('add a cache');
    server.runs = [run('server-9', { prompt: 'add a cache' })];
    live.say(server.runs);
    lose(new ApiError(UNREACHABLE as never));
    expect(await asked).toBe('add a cache');
    await clock.pass(0);
    expect(said(turns())).toEqual([['server-9', 'running']]);
  });

  it('folds what it hears of a request, and reads what came of it once', async () => {
    const { store, turns, live, server, clock } = await opened();
    const ended = vi.fn();
    store.onEnded(ended);
    await store.ask('add a cache');
    await clock.pass(0);
    live.watched.get('server-1')?.('1-0', { type: 'phase', phase: 'thinking' });
    await clock.pass(100);
    expect(turns()[0]?.progress?.phase).toBe('thinking');
    server.end('server-1', 'applied');
    live.watched.get('server-1')?.('2-0', { type: 'end', status: 'applied', outcome: {} });
    live.say(server.runs);
    await clock.pass(0);
    expect(turns()).toMatchObject([
      { run: 'server-1', talk: { status: 'applied' }, record: { outcome: { revision: 2 } } },
    ]);
    expect(ended).toHaveBeenCalledTimes(1);
    live.say(server.runs);
    await clock.pass(0);
    expect(ended).toHaveBeenCalledTimes(1);
  });

  it('watches, after a reload, what goes on and is one’s own, from its beginning', async () => {
    const server = new Server();
    server.runs = [run('mine'), run('bens', { actor: BEN as never })];
    const { live, turns } = await opened(server);
    expect([...live.watched.keys()]).toEqual(['mine']);
    expect(said(turns())).toEqual([
      ['mine', 'running'],
      ['bens', 'running'],
    ]);
    expect(turns().map(({ isMine }) => isMine)).toEqual([true, false]);
  });

  it('shows the runs of others while they go on, without what was asked', async () => {
    const { live, turns } = await opened();
    const { prompt: _, focus: __, ...row } = run('bens', { actor: BEN as never });
    live.say([row as Run]);
    expect(turns()).toMatchObject([{ isMine: false, record: { prompt: '', actor: { name: 'Ben' } } }]);
  });

  it('says as a turn why the server takes a request not', async () => {
    const { store, turns, server } = await opened();
    const problem = {
      status: 409,
      code: 'run_busy',
      detail: 'One at a time.',
      problems: [],
      runs: ['other'],
    };
    server.startRun.mockRejectedValueOnce(new ApiError(problem));
    await store.ask('add a cache');
    expect(turns()).toMatchObject([
      {
        record: {
          status: 'failed',
          outcome: { error: { code: 'run_busy', detail: 'One at a time.', runs: ['other'] } },
        },
      },
    ]);
  });

  it('asks again under the same name where no answer came, so that it cannot happen twice', async () => {
    const { store, turns, server, clock } = await opened();
    const unreachable = { status: 0, code: 'unreachable', detail: 'No answer.', problems: [] };
    server.startRun.mockRejectedValueOnce(new ApiError(unreachable));
    await store.ask('add a cache', { mode: 'propose' });
    const first = server.startRun.mock.calls[0]?.[1];
    await store.again(turns()[0]?.run ?? '');
    await clock.pass(0);
    const second = server.startRun.mock.calls[1]?.[1];
    expect(second).toMatchObject({ id: first?.id, prompt: 'add a cache', mode: 'propose' });
    expect(said(turns())).toEqual([['server-1', 'running']]);
  });

  it('asks the same once more as a new request', async () => {
    const { store, server, turns } = await opened();
    server.runs = [run('old', { status: 'failed' })];
    server.talks = [talk('old', { status: 'failed' })];
    await store.refresh();
    await store.again('old');
    expect(server.startRun).toHaveBeenCalledWith(
      'w',
      expect.objectContaining({ prompt: 'do old', mode: 'auto' }),
    );
    expect(turns()).toHaveLength(2);
  });

  it('has a request written anew as a whole: the same words, mode and selection as a new request', async () => {
    const { store, server } = await opened();
    const focus = { nodes: ['api'], edges: [], section: null, range: null };
    const outcome = { fallback: 'regenerate' } as never;
    server.runs = [run('old', { status: 'failed', mode: 'propose', focus, outcome })];
    server.talks = [talk('old', { status: 'failed' })];
    await store.refresh();
    await store.writeAnew('old');
    const sent = server.startRun.mock.calls[0]?.[1];
    expect(sent).toMatchObject({ prompt: 'do old', mode: 'propose', focus, edit_mode: 'regenerate' });
    expect(sent?.id).not.toBe('old');
  });

  it('tries again what was to be written anew as such, and nothing else', async () => {
    const { store, server } = await opened();
    server.runs = [
      run('old', { status: 'failed' }),
      run('whole', { status: 'failed', edit_mode: 'regenerate' }),
    ];
    server.talks = [talk('old', { status: 'failed' }), talk('whole', { status: 'failed' })];
    await store.refresh();
    await store.again('whole');
    await store.again('old');
    const modes = server.startRun.mock.calls.map(([, body]) => (body as Partial<Run>).edit_mode);
    expect(modes).toEqual(['regenerate', undefined]);
  });

  it('shows what somebody thinks of a request at once, and not where the server does not take it', async () => {
    const { store, server, turns } = await opened();
    server.runs = [run('old', { status: 'applied', rating: null })];
    server.talks = [talk('old')];
    await store.refresh();
    const rated = store.rate('old', 'up');
    expect(turns()[0]?.record?.rating).toBe('up');
    await rated;
    expect(server.rateRun).toHaveBeenCalledWith('w', 'old', 'up');
    server.rateRun.mockRejectedValueOnce(new ApiError(UNREACHABLE));
    await expect(store.rate('old', null)).rejects.toThrow();
    expect(turns()[0]?.record?.rating).toBe('up');
  });

  it('hears what the same person thought of it on another page, and nothing from rows that are as they were', async () => {
    const { store, server, live, turns } = await opened();
    const row = run('old', { status: 'applied', rating: null });
    server.runs = [row];
    server.talks = [talk('old')];
    await store.refresh();
    live.say([row]);
    await store.rate('old', 'up');
    live.say([row]);
    expect(turns()[0]?.record?.rating).toBe('up');
    live.say([{ ...row, rating: 'down' }]);
    expect(turns()[0]?.record?.rating).toBe('down');
  });

  it('knows how models edit here, and says otherwise at once', async () => {
    const { store, server } = await opened();
    expect(store.state.getState().editMode).toBeNull();
    await store.setEditMode('regenerate');
    expect(server.setSwitch).toHaveBeenCalledWith('w', { edit_mode: 'regenerate' });
    server.setSwitch.mockRejectedValueOnce(new ApiError(UNREACHABLE));
    await expect(store.setEditMode(null)).rejects.toThrow();
    expect(store.state.getState().editMode).toBe('regenerate');
  });

  it('keeps what was chosen while an older answer was on its way', async () => {
    let kept: EditMode | null = null;
    let answer: () => void = () => undefined;
    const server = new Server();
    const calls = server.calls();
    calls.setSwitch = async (_, change) => {
      kept = change.edit_mode ?? null;
      return change as never;
    };
    let isSlow = false;
    calls.readSwitch = async () => {
      const found = { enabled: true, edit_mode: kept, provider: null, answers: null };
      if (isSlow)
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
      return found;
    };
    const clock = new HandClock();
    const store = new AssistantStore(new Live(), 'w', calls, clock);
    await clock.pass(0);
    isSlow = true;
    const reading = store.readAssistant();
    isSlow = false;
    await store.setEditMode('regenerate');
    answer();
    await reading;
    expect(store.state.getState().editMode).toBe('regenerate');
  });

  it('stops a request', async () => {
    const { store, turns, clock } = await opened();
    await store.ask('add a cache');
    await store.stop('server-1');
    await clock.pass(0);
    expect(said(turns())).toEqual([['server-1', 'cancelled']]);
  });

  it('has an ended run whole, also where the connection told of it in short before', async () => {
    const server = new Server();
    const calls = [{ name: 'find_nodes', input: '', result: '', status: 'ok' }];
    server.runs = [run('old', { status: 'applied', outcome: { tool_calls: calls } as never })];
    server.talks = [talk('old')];
    const live = new Live();
    live.runs = [run('old', { status: 'applied', prompt: '', outcome: {} as never })];
    const { turns } = await opened(server, live);
    expect(turns()[0]?.record).toMatchObject({ prompt: 'do old', outcome: { tool_calls: calls } });
  });

  it('leaves out runs that the workspace has been told to forget', async () => {
    const server = new Server();
    server.runs = [run('old', { status: 'applied' })];
    const { turns, store } = await opened(server);
    expect(turns()).toEqual([]);
    await store.ask('add a cache');
    await store.clear();
    // What goes on stays.
    expect(said(turns())).toEqual([['server-2', 'running']]);
  });

  it('reads older turns on demand, and keeps them when the newest are read anew', async () => {
    const server = new Server();
    server.talks = [talk('newer')];
    server.nextCursor = 'c';
    const { store, turns } = await opened(server);
    expect(store.state.getState().hasOlder).toBe(true);
    await store.more();
    expect(turns().map((turn) => turn.run)).toEqual(['oldest', 'newer']);
    await store.refresh();
    expect(turns().map((turn) => turn.run)).toEqual(['oldest', 'newer']);
    expect(store.state.getState().hasOlder).toBe(false);
  });

  it('shows what waits for a yes, also where the conversation does not go back so far', async () => {
    const { live, turns } = await opened();
    live.proposals = [{ id: 'p', run: 'p', actor: BEN, created_at: AT } as LiveProposal];
    live.tell({ proposals: true });
    expect(said(turns())).toEqual([['p', 'proposed']]);
  });

  it('reads everything anew once the connection is back', async () => {
    const { live, server, turns, clock } = await opened();
    live.status = { connection: 'offline' } as never;
    live.tell({ status: true });
    server.talks = [talk('meanwhile')];
    live.status = { connection: 'live' } as never;
    live.tell({ status: true });
    await clock.pass(0);
    expect(said(turns())).toEqual([['meanwhile', 'applied']]);
  });

  it('reads everything once there is a connection, also where the first try came to nothing', async () => {
    const server = new Server();
    server.talks = [talk('one')];
    const live = new Live();
    live.status = { connection: 'offline' } as never;
    const clock = new HandClock();
    const calls = server.calls();
    const list = vi.fn(calls.listConversation).mockRejectedValueOnce(new ApiError(UNREACHABLE));
    const store = new AssistantStore(live, 'w', { ...calls, listConversation: list }, clock);
    await clock.pass(0);
    expect(store.state.getState()).toMatchObject({ isKnown: false, turns: [] });
    live.status = { connection: 'live' } as never;
    live.tell({ status: true });
    await clock.pass(0);
    expect(store.state.getState()).toMatchObject({ isKnown: true, failure: null });
    expect(said(store.state.getState().turns)).toEqual([['one', 'applied']]);
  });

  it('tells of the end of a request once, also where the connection is quicker than the answer', async () => {
    const { store, turns, live, server, clock } = await opened();
    const ended = vi.fn();
    store.onEnded(ended);
    let answer: (run: Run) => void = () => undefined;
    server.startRun.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)) as never);
    const asked = store.ask('add a cache');
    server.runs = [run('quick', { prompt: 'add a cache' })];
    const over = server.end('quick', 'applied');
    live.say([{ ...over, prompt: 'add a cache' }]);
    await clock.pass(0);
    expect(said(turns())).toEqual([['quick', 'applied']]);
    answer(over);
    await asked;
    expect(said(turns())).toEqual([['quick', 'applied']]);
    await clock.pass(0);
    expect(ended).toHaveBeenCalledTimes(1);
  });

  it('reads what came of a request once more where it could not be read, so that none goes on for ever', async () => {
    const server = new Server();
    const calls = server.calls();
    const readRun = vi.fn(calls.readRun).mockRejectedValueOnce(new ApiError(UNREACHABLE));
    const live = new Live();
    const clock = new HandClock();
    const store = new AssistantStore(live, 'w', { ...calls, readRun }, clock);
    await clock.pass(0);
    await store.ask('add a cache');
    server.end('server-1', 'applied');
    live.watched.get('server-1')?.('', { type: 'gone', code: 'internal', detail: '' });
    await clock.pass(0);
    expect(said(store.state.getState().turns)).toEqual([['server-1', 'running']]);
    await clock.pass(4000);
    expect(said(store.state.getState().turns)).toEqual([['server-1', 'applied']]);
  });

  it('does not ask in a circle about a request that goes on and cannot be watched', async () => {
    const { store, live, server, clock } = await opened();
    await store.ask('add a cache');
    for (let gone = 0; gone < 3; gone++) {
      live.watched.get('server-1')?.('', { type: 'gone', code: 'internal', detail: '' });
      await clock.pass(100);
      expect(live.watched.has('server-1')).toBe(false);
      await clock.pass(4000);
      expect(live.watched.has('server-1')).toBe(true);
    }
    expect(server.startRun).toHaveBeenCalledTimes(1);
  });

  it('shows nothing of what was forgotten, also where it was on its way here', async () => {
    const server = new Server();
    const calls = server.calls();
    const live = new Live();
    const clock = new HandClock();
    const list = vi.fn(calls.listConversation);
    const store = new AssistantStore(live, 'w', { ...calls, listConversation: list }, clock);
    await clock.pass(0);
    let answer: (page: Awaited<ReturnType<typeof list>>) => void = () => undefined;
    list.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
    const read = store.refresh();
    await store.clear();
    answer({ items: [talk('old')], next_cursor: null });
    await read;
    expect(store.state.getState().turns).toEqual([]);
  });

  it('keeps the turns that are as they were the same objects', async () => {
    const { live, server, store, turns } = await opened();
    server.talks = [talk('one')];
    await store.refresh();
    const [before] = turns();
    live.say([run('two', { actor: BEN as never })]);
    expect(turns()).toHaveLength(2);
    expect(turns()[0]).toBe(before);
  });
});
