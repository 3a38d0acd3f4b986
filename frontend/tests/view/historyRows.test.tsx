// @vitest-environment jsdom
/** The rows of the history as they are drawn while others work. */
import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Checkpoint, CommitItem } from '../../src/protocol/types';
import { HistoryPanel } from '../../src/view/history/HistoryPanel';
import { commit, content, nodeStep, state, welcome } from '../sync/messages';
import { OpenWorkspace } from './openWorkspace';
import { eventually } from './operate';

let open: OpenWorkspace;
/** Revisions of the rows on the server, newest first. */
let revisions: number[];
/** Names of the checkpoints on the server. */
let names: string[];

const item = (revision: number): CommitItem => ({
  revision,
  revisions: [revision],
  kind: 'edit',
  what: `Renamed ${revision}`,
  why: '',
  actor: { kind: 'person', id: 'guest:bob', name: 'Bob' },
  source: 'editor',
  at: '2026-01-01T10:00:00Z',
  since: '2026-01-01T10:00:00Z',
  ref: null,
  revert: { rev: revision, upto: null },
  counts: { added: 0, changed: 1, removed: 0, text: 0 },
  left_out: [],
});

const nothing = { added: [], changed: [], removed: [] };
/** What one commit changed, as far as it is drawn. */
const ONE = { what: '', steps: [], diff: { nodes: nothing, edges: nothing, document: [], workspace: {} } };

const checkpoint = (name: string): Checkpoint => ({
  id: name,
  name,
  revision: 1,
  at: '2026-01-01T10:00:00Z',
});

/** Called with what was read. */
const answered = vi.fn();

async function answer(address: RequestInfo | URL): Promise<Response> {
  const path = String(address);
  const isRows = path.includes('/commits?');
  const isNames = path.endsWith('/checkpoints');
  if (isRows) answered('rows');
  if (isNames) answered('checkpoints');
  const isOne = /\/commits\/\d+$/.test(path);
  const items = isRows ? revisions.map(item) : isNames ? names.map(checkpoint) : [];
  const body = isOne ? ONE : { items, next_cursor: null };
  return new Response(JSON.stringify(body), { status: 200 });
}

const drawn = () =>
  [...open.page.querySelectorAll<HTMLElement>('.commit')].map(({ dataset }) => Number(dataset.revision));

const drawnNames = () =>
  [...open.page.querySelectorAll('.checkpoint-text')].map(({ textContent }) => textContent);

const shows = (...rows: number[]) => eventually(() => expect(drawn()).toEqual(rows));

const point = (type: string, at: Element | null) =>
  act(async () => at?.dispatchEvent(new Event(type, { bubbles: true })));

/** Somebody else makes a commit, and the server has said what the rows are now. */
async function hearCommit(revision: number): Promise<void> {
  revisions.unshift(revision);
  answered.mockClear();
  await open.hear(commit(revision, [nodeStep(`n${revision}`, revision)]));
  await eventually(() => expect(answered).toHaveBeenCalledWith('rows'));
  await act(() => new Promise((resolve) => setTimeout(resolve)));
}

/** Somebody else names a state or deletes a name, and the server has said what the names are now. */
async function hearNames(...now: string[]): Promise<void> {
  names = now;
  answered.mockClear();
  await open.hear(commit((revisions[0] ?? 0) + 1, [], { kind: 'checkpoint' }));
  await eventually(() => expect(answered).toHaveBeenCalledWith('checkpoints'));
  await act(() => new Promise((resolve) => setTimeout(resolve)));
}

beforeEach(async () => {
  localStorage.clear();
  revisions = [2, 1];
  names = ['Draft'];
  vi.stubGlobal('fetch', answer);
  open = await OpenWorkspace.with(welcome(), state(2, content()));
  document.body.append(open.page);
  await open.draw(<HistoryPanel />);
  await shows(2, 1);
});

afterEach(async () => {
  open.page.remove();
  await open.close();
});

describe('rows of the history', () => {
  it.each(['pointerup', 'pointercancel', 'contextmenu'])(
    'stay where they are while one is pressed, until %s',
    async (end) => {
      const head = open.page.querySelector('.commit-head');
      await point('pointerdown', head);
      await hearCommit(3);
      expect(drawn()).toEqual([2, 1]);
      await point(end, head);
      await shows(3, 2, 1);
    },
  );

  it.each([
    ['named', ['Reviewed', 'Draft']],
    ['no longer named', []],
  ])('stay where they are while one is pressed and a state is %s', async (_, now) => {
    const head = open.page.querySelector('.commit-head');
    await point('pointerdown', head);
    await hearNames(...now);
    expect(drawnNames()).toEqual(['Draft']);
    await point('pointerup', head);
    await eventually(() => expect(drawnNames()).toEqual(now));
  });

  it('have the same buttons in the same order when they are no longer the newest', async () => {
    await act(async () => open.page.querySelector<HTMLElement>('.commit-head')?.click());
    const buttons = () =>
      [...open.page.querySelectorAll('[data-revision="2"] .commit-actions > button')].map(
        (button) => button.getAttribute('aria-label') ?? button.textContent,
      );
    const compare = () => open.page.querySelectorAll<HTMLButtonElement>('.commit-actions > .button')[1];
    const all = ['View', 'Compare with now', 'Revert…', 'More about revision 2'];
    await eventually(() => expect(buttons()).toEqual(all));
    expect(compare()?.disabled).toBe(true);
    await hearCommit(3);
    await eventually(() => expect(compare()?.disabled).toBe(false));
    expect(buttons()).toEqual(all);
  });

  it('come at once while something else is pressed', async () => {
    await point('pointerdown', document.body);
    await hearCommit(3);
    await shows(3, 2, 1);
    await hearNames('Reviewed', 'Draft');
    await eventually(() => expect(drawnNames()).toEqual(['Reviewed', 'Draft']));
  });
});
