// @vitest-environment jsdom
/** Cards of the assistant: what can be done about a request and its proposal, and what is said while no card is shown. */
import { useQueryClient } from '@tanstack/react-query';
import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NO_PROGRESS } from '../../src/model/assistant/runProgress';
import type { LiveProposal, LiveRun, ServerMessage } from '../../src/protocol/live';
import type { CommitItem, Diff, ProposalFull, Run, RunOutcome } from '../../src/protocol/types';
import { TurnCard } from '../../src/view/assistant/cards/TurnCard';
import { type Reveal, useReveal } from '../../src/view/assistant/cards/useReveal';
import { ProposalNotice } from '../../src/view/assistant/ProposalNotice';
import { RunEnds } from '../../src/view/assistant/RunEnds';
import { SidePanel } from '../../src/view/workspace/SidePanel';
import { turn } from '../model/assistant/turns';
import { ADA, commit, content, nodeStep, state, welcome } from '../sync/messages';
import { OpenWorkspace } from './openWorkspace';
import { eventually, every, found, press, says } from './operate';

const AT = '2026-01-01T10:00:00Z';
const BEN = { id: 'guest:ben', name: 'Ben', kind: 'person' as const };
const SAME = { added: [], changed: [], removed: [] };
const EMPTY = { nodes: SAME, edges: SAME, document: [], workspace: {} } as unknown as Diff;
const FOCUS = { nodes: [], edges: [], section: null, range: null };
const USUAL = {
  workflow: 'edit',
  mode: 'auto',
  prompt: 'add a queue',
  provider: 'anthropic',
  created_at: AT,
};

let open: OpenWorkspace;
/** What the server answers to what is read, by the ends of addresses. */
let answers: Record<string, unknown>;

const fetchAnswer: typeof fetch = async (address) => {
  const path = new URL(String(address), 'http://localhost').pathname;
  const found = Object.keys(answers).find((one) => path.endsWith(one));
  return new Response(JSON.stringify(found ? answers[found] : { items: [], next_cursor: null }));
};

const record = (status: Run['status'], outcome: Partial<RunOutcome> | null = null): Run =>
  ({ ...USUAL, id: 'r', status, actor: ADA, focus: FOCUS, outcome, updated_at: AT }) as unknown as Run;
const proposal = (id: string, minute: number, actor: LiveProposal['actor'] = BEN): LiveProposal =>
  ({
    id,
    run: id,
    actor,
    count: 1,
    status: 'open',
    fit: 'fits',
    conflicts: [],
    what: ['Add node Jobs'],
    alternative: null,
    origin: 'assistant',
    created_at: `2026-01-01T10:0${minute}:00Z`,
    outcome: null,
  }) as unknown as LiveProposal;
const proposals = (...list: LiveProposal[]): ServerMessage => ({ t: 'proposals', proposals: list });
const item = (revision: number): CommitItem =>
  ({
    revision,
    revisions: [revision],
    kind: 'edit',
    what: `Change ${revision}`,
    why: '',
    actor: ADA,
    source: 'assistant',
    at: AT,
    since: AT,
    ref: null,
    revert: { rev: revision, upto: null },
    counts: { added: 1, changed: 0, removed: 0, text: 0 },
    left_out: [],
  }) as unknown as CommitItem;

beforeEach(async () => {
  localStorage.clear();
  answers = { '/assistant': { prices: [], price: null } };
  vi.stubGlobal('fetch', fetchAnswer);
  HTMLElement.prototype.scrollIntoView = () => undefined;
  open = await OpenWorkspace.with(welcome(), state(2, { ...content(), text: 'First line\n\nSecond line\n' }));
  document.body.append(open.page);
});

afterEach(async () => {
  open.page.remove();
  await open.close();
  Reflect.deleteProperty(HTMLElement.prototype, 'scrollIntoView');
});

describe('the card of what was applied', () => {
  it('leaves an old revision to show a commit that changed the document alone', async () => {
    const section = { section: '', from_line: 1, old: '', new: 'Second line' };
    let reveal = null as Reveal | null;
    function Card() {
      reveal = useReveal();
      useQueryClient().setQueryData(['commit', 'w', 2], { diff: { ...EMPTY, document: [section] } });
      return null;
    }
    await open.draw(<Card />);
    await act(async () => open.context.ui.set({ viewed: { revision: 1, against: null } }));
    await act(async () => reveal?.showCommit(2));
    expect(open.context.ui.get().revealText).toMatchObject({ from: 12, to: 23 });
    expect(open.context.ui.get().viewed).toBeNull();
  });

  it('leads to its row in the history, which is open there and has the keyboard', async () => {
    answers['/commits'] = { items: [3, 2, 1].map(item), next_cursor: null };
    answers['/commits/2'] = { what: '', steps: [], diff: EMPTY, undone: null };
    const applied = turn({ record: record('applied', { revision: 2 }) });
    await open.draw(
      <>
        <TurnCard turn={applied} />
        <SidePanel />
      </>,
    );
    await press('In the history');
    const head = () => document.querySelector('[data-revision="2"] .commit-head');
    await eventually(() => expect(document.activeElement).toBe(head()));
    expect(head()).not.toBeNull();
    expect(head()?.getAttribute('aria-expanded')).toBe('true');
    expect(every('.commit-head[aria-expanded="true"]')).toHaveLength(1);
  });

  describe('folds open what did not fit at first,', () => {
    const message = 'There is no node “apy”.';
    const problem = {
      index: 0,
      op: 'update_node',
      code: 'node_not_found',
      path: '',
      message,
      candidates: [],
    };
    const outcome = { revision: 2, tool_calls: null, iterations: 3 } as unknown as RunOutcome;
    const end = { status: 'applied' as const, outcome };
    const fold = () => document.querySelector('details.card-repaired') as HTMLDetailsElement;
    const sayings = () => [...fold().querySelectorAll('li')].map(({ textContent }) => textContent);
    const unfold = () => act(async () => fold().querySelector('summary')?.click());

    it('below what came of it', async () => {
      const progress = { ...NO_PROGRESS, refused: [{ problems: [problem as never] }], end };
      await open.draw(<TurnCard turn={turn({ record: record('applied', outcome), progress })} />);
      await says('Applied r2', '.card-state');
      expect(fold().open).toBe(false);
      await unfold();
      expect(fold().open).toBe(true);
      expect(sayings()).toEqual([message]);
      const head = document.querySelector('.card-head');
      expect(head?.compareDocumentPosition(fold())).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    });

    it('which is read then where this page did not watch', async () => {
      const watched = () => open.sent.filter(({ t }) => t === 'watch');
      await open.draw(<TurnCard turn={turn({ record: record('applied', outcome) })} />);
      expect(watched()).toEqual([]);
      await unfold();
      await eventually(() => expect(watched()).toEqual([{ t: 'watch', run: 'r', after: '0' }]));
      const event = { t: 'run_event', run: 'r' } as const;
      await open.hear(
        { ...event, id: '1-0', event: { type: 'refused', call: 'a', problems: [problem] } },
        { ...event, id: '2-0', event: { type: 'end', ...end } },
      );
      await eventually(() => expect(sayings()).toEqual([message]));
    });
  });
});

describe('the card of a proposal', () => {
  const full = (id: string) =>
    ({
      ...proposal(id, 0, ADA),
      prompt: 'add a queue',
      diff: EMPTY,
      operations: [
        {
          index: 0,
          op: 'add_node',
          what: 'Add node Jobs',
          asked: { op: 'add_node', label: 'Jobs' },
          fits: true,
          why: '',
          depends_on: [],
          steps: [nodeStep('jobs', 3)],
        },
      ],
    }) as unknown as ProposalFull;
  const boxes = () => every('.assistant-card input[type="checkbox"]');
  const decisions = () => every('.assistant-card .card-actions button').map(({ textContent }) => textContent);

  const draw = (isMine: boolean) => {
    answers['/proposals/r'] = full('r');
    const shown = { record: record('proposed', {}), proposal: proposal('r', 0, isMine ? ADA : BEN), isMine };
    return open.draw(<TurnCard turn={turn(shown)} />);
  };

  it('shows what it would look like, or no longer, as its eye says', async () => {
    await draw(true);
    const eye = await found('button', 'Preview');
    const ghosts = () => open.context.ui.get().ghosts;
    await eventually(() => expect(ghosts()?.steps).toEqual([nodeStep('jobs', 3)]));
    expect(ghosts()?.title).toBe('Your proposal (1)');
    expect(eye.getAttribute('aria-pressed')).toBe('true');
    await press('Preview');
    expect(ghosts()).toBeNull();
    expect(eye.getAttribute('aria-pressed')).toBe('false');
    await press('Preview');
    expect(ghosts()?.steps).toEqual([nodeStep('jobs', 3)]);
    expect(eye.getAttribute('aria-pressed')).toBe('true');
  });

  it('may be looked at on a small screen, with the reason why no more', async () => {
    await open.resize(true);
    await draw(false);
    await says('Add node Jobs', '.card-operations');
    await says('View only on a screen this small. Open it on a larger one to edit.', '.assistant-card');
    expect(boxes()).toEqual([]);
    expect(decisions()).toEqual([]);
    await press('Preview');
    expect(open.context.ui.get().ghosts?.steps).toEqual([nodeStep('jobs', 3)]);
    await open.resize(false);
    await eventually(() => expect(decisions()).toEqual(['Accept', 'Discard']));
    expect(boxes()).toHaveLength(1);
  });
});

describe('proposals that are open', () => {
  const panes = document.createElement('div');
  const notice = () => panes.querySelector('.proposal-notice-what')?.textContent ?? null;
  const spoken = () => panes.querySelector('[role="status"]')?.textContent;
  const [first, second] = [proposal('first', 1), proposal('second', 2, { ...BEN, name: 'Cleo' })];
  const own = proposal('own', 3, ADA);
  const setPanel = (name: 'assistant' | null) => act(async () => open.context.ui.setPanel(name));

  beforeEach(async () => {
    panes.className = 'workspace-body';
    document.body.append(panes);
    await open.hear(proposals(proposal('before', 0)));
    await open.draw(<ProposalNotice />);
  });

  afterEach(() => panes.remove());

  it('are named over the panes: the newest, and how many more; and can be hidden', async () => {
    expect(notice()).toBe('Proposal by Ben (1)');
    await open.hear(proposals(first));
    expect(notice()).toBe('Proposal by Ben (1)');
    await open.hear(proposals(second, first));
    expect(notice()).toBe('Proposal by Cleo (1) and 1 more');
    expect(open.context.ui.get().ghosts).toBeNull();
    await press('Hide on this page');
    expect(notice()).toBeNull();
    await open.hear(proposals(second, first, proposal('third', 4)));
    expect(notice()).toBe('Proposal by Ben (1)');
  });

  it('are announced once each, but for those that were there and one’s own', async () => {
    expect(spoken()).toBe('');
    await open.hear(proposals(own));
    expect(spoken()).toBe('');
    await open.hear(proposals(first));
    expect(spoken()).toBe('Proposal by Ben (1)');
    await open.hear(proposals(second, first));
    expect(spoken()).toBe('Proposal by Cleo (1)');
    await open.hear(proposals(first));
    expect(notice()).toBe('Proposal by Ben (1)');
    expect(spoken()).toBe('Proposal by Cleo (1)');
  });

  it('are named to whoever asked only while the panel, where the card is, is closed', async () => {
    await open.hear(proposals(own));
    expect(notice()).toBe('Your proposal (1)');
    await setPanel('assistant');
    expect(notice()).toBeNull();
    await open.hear(proposals(own, first));
    expect(notice()).toBe('Proposal by Ben (1)');
    await setPanel(null);
    expect(notice()).toBe('Your proposal (1) and 1 more');
  });
});

describe('what came of a request', () => {
  const live = (status: LiveRun['status']): ServerMessage => ({
    t: 'runs',
    runs: [{ ...record(status), focus: FOCUS } as unknown as LiveRun],
  });
  const toasts = () => every('.toast-text').map(({ textContent }) => textContent);
  const SAID = 'The assistant applied 1 change (r3)';

  beforeEach(async () => {
    const operations = [{ op: 'update_node', what: 'Renamed Mail' }];
    answers['/runs/r'] = record('applied', { revision: 3, operations, diff: EMPTY });
    await open.hear(live('running'));
    await open.draw(<RunEnds />);
  });

  it('is said in a message while the panel is closed, with the way back', async () => {
    await open.hear(live('applied'));
    await eventually(() => expect(toasts()).toEqual([SAID]));
    await press('Undo');
    expect(open.sent.at(-1)).toMatchObject({ t: 'revert', rev: 3 });
  });

  it('is no longer said once it was undone in another way', async () => {
    await open.hear(live('applied'));
    await eventually(() => expect(toasts()).toEqual([SAID]));
    await open.hear(
      commit(3, [nodeStep('jobs', 3)]),
      commit(4, [nodeStep('other', 4)], { kind: 'revert', ref: 2 }),
    );
    expect(toasts()).toEqual([SAID]);
    await open.hear(commit(5, [nodeStep('more', 5)], { kind: 'revert', ref: 3 }));
    expect(toasts()).toEqual([]);
  });

  it('is no message while the panel is open, which shows its card, but said to screen readers', async () => {
    await act(async () => open.context.ui.setPanel('assistant'));
    await open.hear(live('applied'));
    await says(SAID, '[role="status"].visually-hidden');
    expect(toasts()).toEqual([]);
  });
});
