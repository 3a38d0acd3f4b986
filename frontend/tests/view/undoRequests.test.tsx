// @vitest-environment jsdom
/** What undo asks the server: each question is asked to its end, also where a later one overtakes it. */
import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { UndoState } from '../../src/protocol/types';
import { useUndo } from '../../src/view/history/useUndo';
import { ADA, commit, committed, nodeStep, state, welcome } from '../sync/messages';
import { OpenWorkspace } from './openWorkspace';

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
const shows = (label: string) => vi.waitFor(() => expect(button()?.textContent).toBe(label));
const press = () => act(async () => button()?.click());

beforeEach(async () => {
  questions = [];
  vi.stubGlobal('fetch', fetchLater);
  open = await OpenWorkspace.with(welcome(), state(1));
  await open.draw(<Button />);
  await questions[0]?.answer(1);
});

afterEach(async () => {
  vi.useRealTimers();
  await open.close();
});

describe('what undo asks', () => {
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
