// @vitest-environment jsdom
/** What undo asks the server: each question is asked to its end, also where a later one overtakes it; and what its buttons take. */
import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { UndoState } from '../../src/protocol/types';
import { UndoButtons } from '../../src/view/history/UndoButtons';
import { useUndo } from '../../src/view/history/useUndo';
import { ADA, commit, committed, nodeStep, state, welcome } from '../sync/messages';
import { OpenWorkspace } from './openWorkspace';
import { allowDialogs, eventually, every, found, press as pressButton, says } from './operate';

/** A request for what would be undone, which a test answers. */
interface Question {
  signal: AbortSignal | null;
  answer(rev: number): Promise<void>;
  /** Nobody answers. */
  lose(): Promise<void>;
}

let open: OpenWorkspace;
let questions: Question[];
const by = { id: ADA.id, name: ADA.name, kind: 'person' as const };
const mine = (rev: number, more: Parameters<typeof commit>[2] = {}) =>
  commit(rev, [nodeStep(`n${rev}`, rev)], { by, ...more });

function stackOf(rev: number): UndoState {
  const top = { rev, label: `Added ${rev}`, kind: 'edit', at: '2026-01-01T00:00:00Z', is_typing: false };
  return { undo: top, redo: null, undo_document: null, redo_document: null, undo_all: top } as never;
}

const fetchLater: typeof fetch = (_, init) =>
  new Promise((resolve, reject) => {
    const signal = init?.signal ?? null;
    signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
    const answer = (rev: number) =>
      act(async () => resolve(new Response(JSON.stringify(stackOf(rev)), { status: 200 })));
    const lose = () => act(async () => reject(new TypeError('Failed to fetch')));
    questions.push({ signal, answer, lose });
  });

function Button() {
  const { undo, take } = useUndo();
  const label = undo?.kind === 'commit' ? undo.label : 'nothing';
  return (
    <button type="button" onClick={() => take('undo')}>
      {label}
    </button>
  );
}

const button = () => open.page.querySelector('button');
const shows = (label: string) => eventually(() => expect(button()?.textContent).toBe(label));
const press = () => act(async () => button()?.click());

afterEach(async () => {
  vi.useRealTimers();
  open.page.remove();
  await open.close();
});

describe('what undo asks', () => {
  beforeEach(async () => {
    questions = [];
    vi.stubGlobal('fetch', fetchLater);
    open = await OpenWorkspace.with(welcome(), state(1));
    await open.draw(<Button />);
    await questions[0]?.answer(1);
    await shows('Added 1');
  });

  it('is aborted by no commit that comes meanwhile, and the last answer holds', async () => {
    for (const rev of [2, 3, 4]) await open.hear(mine(rev));
    expect(questions).toHaveLength(4);
    expect(questions.filter(({ signal }) => signal?.aborted)).toEqual([]);
    await questions[3]?.answer(4);
    await shows('Added 4');
    for (const at of [1, 2]) await questions[at]?.answer(at + 1);
    await act(() => new Promise((resolve) => setTimeout(resolve)));
    expect(button()?.textContent).toBe('Added 4');
  });

  it('is asked before an undo and once after it', async () => {
    await press();
    await questions[1]?.answer(1);
    const undo = open.sent.find(({ t }) => t === 'undo') as { id: string };
    await open.hear(committed(undo.id, 2), mine(2, { kind: 'undo', ref: 1 }));
    expect(questions).toHaveLength(3);
    expect(questions.filter(({ signal }) => signal?.aborted)).toEqual([]);
    await questions[2]?.answer(2);
    await shows('Added 2');
  });

  it('is asked again after an undo that changed nothing, which no commit reports', async () => {
    await press();
    await questions[1]?.answer(1);
    const undo = open.sent.find(({ t }) => t === 'undo') as { id: string };
    await open.hear(committed(undo.id, 1, false));
    expect(questions).toHaveLength(3);
  });

  it('is asked again by itself where the server could not be asked, and then known', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    await open.hear(mine(2));
    await questions[1]?.lose();
    // Once it is known that there was no answer.
    await eventually(() => expect(vi.getTimerCount()).toBe(1));
    expect(questions).toHaveLength(2);
    expect(button()?.textContent).toBe('Added 1');
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(questions.length).toBeGreaterThan(2);
    await questions.at(-1)?.answer(2);
    await shows('Added 2');
    const asked = questions.length;
    await press();
    await questions[asked]?.answer(2);
    expect(open.sent.find(({ t }) => t === 'undo')).toMatchObject({ expect: 2 });
  });
});

describe('the buttons', () => {
  const top = (rev: number, label: string) => ({ ...stackOf(rev).undo, label });
  const BEN = { id: 'guest:bob', name: 'Bob', kind: 'person' };
  const named = () => every('.undo-buttons button').map((one) => one.getAttribute('aria-label'));
  /** What the server keeps. */
  let stack: object;
  /** Whose the newest commit is. */
  let actor: object;

  const fetchNow: typeof fetch = async (address) => {
    const said = { what: 'Renamed Orders', at: '2026-01-01T10:00:00Z', actor };
    return new Response(JSON.stringify(String(address).endsWith('/undo') ? stack : said));
  };

  async function draw(keeps: object): Promise<void> {
    const none = { undo: null, redo: null, undo_document: null, redo_document: null, undo_all: null };
    stack = { ...none, ...keeps };
    await open.draw(<UndoButtons isOff={false} />);
  }

  beforeEach(async () => {
    allowDialogs();
    actor = BEN;
    vi.stubGlobal('fetch', fetchNow);
    open = await OpenWorkspace.with(welcome(), state(7));
    document.body.append(open.page);
  });

  it.each([
    ['undo', 'Undo: Renamed Orders', 'Nothing to redo'],
    ['redo', 'Nothing of yours to undo', 'Redo: Renamed Orders'],
  ])('of a page that was just opened offer what the server keeps: %s', async (way, undo, redo) => {
    await draw({ [way]: top(5, 'Renamed Orders') });
    await eventually(() => expect(named()).toEqual([undo, redo]));
    await pressButton(way === 'undo' ? undo : redo);
    await eventually(() => expect(open.sent.at(-1)).toMatchObject({ t: way, expect: 5 }));
  });

  it('take anybody’s newest only when asked, and say whose it is', async () => {
    const undos = () => open.sent.filter(({ t }) => t === 'undo');
    await draw({ undo_all: top(6, 'Renamed Orders') });
    await eventually(() => expect(every('.undo-buttons button')).toHaveLength(2));
    expect(every<HTMLButtonElement>('.undo-buttons button').map(({ disabled }) => disabled)).toEqual([
      true,
      true,
    ]);
    const ask = () => act(async () => void open.context.commands.run('history.undo-all'));
    await ask();
    await found('button', 'Undo Bob’s change');
    await says('Undo the newest change of anybody?', 'dialog h2');
    await says(/^It is Bob’s, of .*: Renamed Orders/, '.dialog-text');
    await pressButton('Cancel');
    expect(undos()).toEqual([]);
    await ask();
    await pressButton('Undo Bob’s change');
    expect(undos()).toMatchObject([{ scope: 'all', expect: 6 }]);
    expect(every('dialog')).toEqual([]);
  });

  it('say so where anybody’s newest is one’s own, or there is none', async () => {
    actor = ADA;
    await draw({ undo_all: top(6, 'Renamed Orders') });
    await act(async () => void open.context.commands.run('history.undo-all'));
    await found('button', 'Undo your own change');
    await pressButton('Cancel');
    stack = { ...stack, undo_all: null };
    await open.hear(commit(8, []));
    await act(async () => void open.context.commands.run('history.undo-all'));
    await says('There is nothing left that could be undone.', 'dialog');
    expect(((await found('button', 'Undo')) as HTMLButtonElement).disabled).toBe(true);
  });
});
