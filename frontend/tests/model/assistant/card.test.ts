import { describe, expect, it } from 'vitest';
import { cardOf, type RunResult } from '../../../src/model/assistant/card';
import { NO_PROGRESS, type RunProgress } from '../../../src/model/assistant/runProgress';
import type { ProposalFull, Run, RunOutcome, RunStatus, Talk } from '../../../src/protocol/types';
import { turn } from './turns';

const ACTOR = { id: 'guest:ana', name: 'Ana', kind: 'person' };
const NOTHING: RunResult = { decided: null, undone: null };
const OPERATIONS = [
  { op: 'add_node', what: 'Added node Cache' },
  { op: 'add_edge', what: 'Added edge API → Cache' },
  { op: 'edit_section', what: '' },
];

const record = (status: RunStatus, outcome: Partial<RunOutcome> | null = {}, rest: Partial<Run> = {}): Run =>
  ({ id: 'r', status, workflow: 'edit', provider: 'anthropic', actor: ACTOR, outcome, ...rest }) as Run;
const talk = (status: RunStatus, rest: Partial<Talk> = {}): Talk =>
  ({
    run: 'r',
    status,
    workflow: 'edit',
    label: 'Model',
    summary: '',
    detail: '',
    revision: 7,
    ...rest,
  }) as Talk;
const proposal = (rest: Partial<ProposalFull> = {}): ProposalFull =>
  ({
    id: 'r',
    run: 'r',
    status: 'open',
    count: 3,
    what: OPERATIONS.map(({ what }) => what || 'Edited section Storage'),
    reason: 'It deletes 1 node.',
    summary: 'Adds a cache.',
    outcome: null,
    operations: [],
    ...rest,
  }) as unknown as ProposalFull;
const accepted = (operations: number[], revision = 9) =>
  proposal({ status: 'accepted', outcome: { by: ACTOR, operations, of: 3, revision } });
const ended = (status: RunStatus, outcome: Partial<RunOutcome>): RunProgress => ({
  ...NO_PROGRESS,
  end: { status, outcome: outcome as RunOutcome },
});

describe('the card of a request', () => {
  it('works while its run goes on', () => {
    const card = cardOf(turn({ record: record('running', null) }), NOTHING);
    expect([card.state, card.words, card.operations]).toEqual(['running', 'Working…', []]);
  });

  it('names the revision that it was applied as, and each operation in a sentence', () => {
    const run = record('applied', { revision: 12, operations: OPERATIONS, summary: 'Done.' });
    const card = cardOf(turn({ record: run }), NOTHING);
    expect([card.state, card.words, card.revision, card.message]).toEqual([
      'applied',
      'Applied r12',
      12,
      'Done.',
    ]);
    expect(card.operations.map(({ what }) => what)).toEqual([
      'Added node Cache',
      'Added edge API → Cache',
      'Edit section',
    ]);
  });

  it('is told from the conversation alone when its run is no longer listed', () => {
    const card = cardOf(turn({ talk: talk('applied', { revision: 7, summary: 'Adds a cache.' }) }), NOTHING);
    expect([card.state, card.words, card.message]).toEqual(['applied', 'Applied r7', 'Adds a cache.']);
    const failed = cardOf(turn({ talk: talk('failed', { detail: 'The provider is overloaded.' }) }), NOTHING);
    expect(failed.failure?.sentence).toBe('The provider is overloaded.');
  });

  it('waits for a yes with the reason for it', () => {
    const run = record('proposed', { reason: 'It deletes 1 node.', operations: OPERATIONS });
    const card = cardOf(turn({ record: run, proposal: proposal() }), NOTHING);
    expect([card.state, card.words, card.reason]).toEqual(['proposed', 'Proposed', 'It deletes 1 node.']);
    expect(card.operations).toHaveLength(3);
  });

  it('is applied once accepted, also while the list of the open ones is behind', () => {
    const known = { record: record('proposed', { reason: 'You asked.' }), proposal: proposal() };
    const card = cardOf(turn(known), { decided: accepted([0, 1, 2]), undone: null });
    expect([card.state, card.words, card.part, card.reason]).toEqual(['applied', 'Applied r9', '', '']);
  });

  it('says how many were accepted, lists those as done, and what was left out as a plan', () => {
    const card = cardOf(turn({ record: record('proposed') }), { decided: accepted([0, 1]), undone: null });
    expect([card.state, card.part]).toEqual(['applied', '2 of 3 accepted']);
    expect(card.operations.map(({ index }) => index)).toEqual([0, 1]);
    expect(card.leftOut).toEqual([{ index: 2, what: 'Edit section Storage' }]);
  });

  it('is not applied once discarded or forgotten, and says by whom or why', () => {
    const by = { by: { ...ACTOR, name: 'Ben' } };
    const discarded = proposal({ status: 'rejected', outcome: by });
    const card = cardOf(turn({ record: record('proposed') }), { decided: discarded, undone: null });
    expect([card.state, card.words, card.failure?.sentence]).toEqual([
      'not-applied',
      'Not applied',
      'Discarded by Ben.',
    ]);
    const gone = cardOf(turn({ talk: talk('proposed') }), { decided: 'gone', undone: null });
    expect([gone.state, gone.failure?.sentence]).toEqual([
      'not-applied',
      'Nobody accepted it within 14 days.',
    ]);
  });

  it('says what a failure means, its particulars, and what can be done', () => {
    const problem = { message: 'No node is called Foo.', candidates: ['food'] };
    const error = { code: 'needs_key', detail: 'Set a key.', problems: [problem] };
    const run = record('failed', { error } as unknown as Partial<RunOutcome>);
    const { state, failure: trouble, operations } = cardOf(turn({ record: run }), NOTHING);
    expect([state, operations]).toEqual(['not-applied', []]);
    expect([trouble?.code, trouble?.detail, trouble?.problems]).toEqual([
      'needs_key',
      'Set a key.',
      [problem],
    ]);
    expect(trouble?.steps).toContain('connect');
  });

  it('is not applied where it comes to nothing', () => {
    const card = cardOf(turn({ record: record('unchanged', { revision: 4 }) }), NOTHING);
    expect([card.state, card.revision]).toEqual(['not-applied', null]);
    expect(card.failure?.sentence).toMatch(/already/);
  });

  it('was cancelled, and says what a plugin was called for before', () => {
    const reason = 'Outside of this workspace was called, after a yes, and stays: install of charts.';
    const card = cardOf(turn({ record: record('cancelled', { reason }) }), NOTHING);
    expect(card.failure?.sentence).toBe(reason);
  });

  it('was cancelled with nothing changed and nothing listed', () => {
    const run = record('cancelled', { operations: OPERATIONS });
    const card = cardOf(turn({ record: run }), NOTHING);
    expect([card.state, card.words, card.operations]).toEqual([
      'cancelled',
      'Cancelled (nothing changed)',
      [],
    ]);
  });

  it('is undone, or partly undone in numbers', () => {
    const known = turn({ record: record('applied', { revision: 5, operations: OPERATIONS }) });
    const undone = (left_out: number) =>
      cardOf(known, { decided: null, undone: { revision: 6, left_out, of: 3 } });
    expect([undone(0).state, undone(0).words]).toEqual(['undone', 'Undone']);
    expect([undone(1).state, undone(1).words]).toEqual(['partly-undone', 'Partly undone 2 of 3']);
    // Nothing was taken back: it stands.
    expect([undone(3).state, undone(3).words]).toEqual(['applied', 'Applied r5']);
  });

  it('is undone also where it was accepted from a proposal', () => {
    const undone = { revision: 11, left_out: 0, of: 2 };
    const card = cardOf(turn({ record: record('proposed') }), { decided: accepted([0, 1]), undone });
    expect([card.state, card.revision]).toEqual(['undone', 9]);
  });

  it('answers a question, with the tools that were used', () => {
    const run = record('answered', { summary: 'Two.', tools_used: ['find_nodes'] }, { workflow: 'ask' });
    const card = cardOf(turn({ record: run }), NOTHING);
    expect([card.state, card.message, card.tools]).toEqual(['answered', 'Two.', ['find_nodes']]);
  });

  it('is not applied where a built-in command was not understood, with the nearest forms', () => {
    const outcome = { summary: 'No node is called Foo.', suggestions: ['add a cache'] };
    const run = record('answered', outcome, { provider: 'builtin' });
    const card = cardOf(turn({ record: run }), NOTHING);
    expect([card.state, card.message, card.failure?.sentence, card.suggestions]).toEqual([
      'not-applied',
      '',
      'No node is called Foo.',
      ['add a cache'],
    ]);
    const asked = record('answered', outcome, { provider: 'builtin', workflow: 'ask' });
    const unanswered = cardOf(turn({ record: asked }), NOTHING);
    expect([unanswered.state, unanswered.words]).toEqual(['not-applied', 'Not understood']);
  });

  it('says that a command was not understood, why, and what would be: as a failure, and as it was stored before', () => {
    const error = { code: 'not_understood', detail: 'Two commands in one.' };
    const suggestions = ['add a cache', 'connect API to Cache'];
    const failed = record('failed', { error, suggestions } as Partial<RunOutcome>, { provider: 'builtin' });
    const named = { error: { ...error, code: 'name_unclear' }, suggestions } as Partial<RunOutcome>;
    const unclear = record('failed', named, { provider: 'builtin' });
    const stored = record(
      'answered',
      { summary: 'Two commands in one.', suggestions },
      { provider: 'builtin' },
    );
    for (const run of [failed, unclear, stored]) {
      const card = cardOf(turn({ record: run }), NOTHING);
      expect([card.state, card.words]).toEqual(['not-applied', 'Not understood · nothing changed']);
      expect([card.message, card.failure?.sentence]).toEqual(['', 'Two commands in one.']);
      expect([card.suggestions, card.failure?.steps]).toEqual([suggestions, ['edit', 'connect']]);
    }
  });

  it('is an answer where the built-in commands answered an edit with words', () => {
    const run = record(
      'answered',
      { summary: 'These are the forms.', tool_calls: [] },
      { provider: 'builtin' },
    );
    const card = cardOf(turn({ record: run }), NOTHING);
    expect([card.words, card.message]).toEqual(['Answered · nothing changed', 'These are the forms.']);
  });
});

describe('what was refused and never corrected', () => {
  const refused = [
    {
      tool: 'edit_document',
      operations: 2,
      why: 'The text to change does not stand in that section.',
      problems: [],
    },
  ];
  const short = { refused, parts: { done: 1, of: 2 }, summary: 'Both are done.' };

  it('stands in the state of what was applied or proposed, and is listed', () => {
    const applied = cardOf(turn({ record: record('applied', { ...short, revision: 12 }) }), NOTHING);
    expect([applied.state, applied.words]).toEqual(['applied', 'Applied r12 · 1 of 2 parts']);
    expect(applied.refused.map(({ what }) => what)).toEqual(['A change of the document (2 operations)']);
    const proposed = cardOf(turn({ record: record('proposed', short), proposal: proposal() }), NOTHING);
    expect([proposed.state, proposed.words]).toEqual(['proposed', 'Proposed · 1 of 2 parts']);
    const taken = cardOf(turn({ record: record('proposed', short) }), {
      decided: accepted([0, 1]),
      undone: null,
    });
    expect([taken.words, taken.part]).toEqual(['Applied r9 · 1 of 2 parts', '2 of 3 accepted']);
  });

  it('leaves an edit answered and nothing changed, whatever the model claims', () => {
    const outcome = { refused, parts: { done: 0, of: 1 }, summary: 'Done.' };
    const card = cardOf(turn({ record: record('answered', outcome) }), NOTHING);
    expect([card.state, card.words, card.message]).toEqual([
      'answered',
      'Answered · nothing changed',
      'Done.',
    ]);
    // Without a single call it claims the same.
    const claim = cardOf(turn({ record: record('answered', { summary: 'Done.' }) }), NOTHING);
    expect(claim.words).toBe('Answered · nothing changed');
  });

  it('is said where what fitted was there already', () => {
    const card = cardOf(turn({ record: record('unchanged', short) }), NOTHING);
    expect([card.state, card.failure?.sentence]).toEqual([
      'not-applied',
      expect.stringMatching(/rest does not fit/),
    ]);
  });

  it('is said from the conversation alone once the run is no longer listed', () => {
    const detail = 'Not done (edit_document, 2 operations refused): No such section.';
    const applied = cardOf(turn({ talk: talk('applied', { detail }) }), NOTHING);
    expect([applied.words, applied.reason]).toEqual(['Applied r7 · not all of it', detail]);
    const answered = cardOf(turn({ talk: talk('answered', { detail, summary: 'Done.' }) }), NOTHING);
    expect([answered.words, answered.reason]).toEqual(['Answered · nothing changed', detail]);
  });

  it('is told once where a failure names it', () => {
    const error = { code: 'too_many_failures', detail: 'Three in a row.', problems: [] };
    const card = cardOf(
      turn({ record: record('failed', { ...short, error } as Partial<RunOutcome>) }),
      NOTHING,
    );
    expect([card.words, card.refused, card.message]).toEqual(['Not applied', [], '']);
  });

  it('is no empty card where the assistant says nothing', () => {
    const silent = cardOf(turn({ record: record('answered', { summary: ' ' }) }), NOTHING);
    expect([silent.state, silent.words]).toEqual(['not-applied', 'Nothing changed']);
    expect(silent.failure?.sentence).toBe('The assistant said nothing and changed nothing.');
    // What the server writes in place of nothing.
    const summary = 'The model gave no answer. It looked up: find_nodes.';
    const asked = record('answered', { summary }, { workflow: 'ask' });
    const unanswered = cardOf(turn({ record: asked }), NOTHING);
    expect([unanswered.words, unanswered.failure?.sentence]).toEqual([
      'Not answered',
      'The assistant gave no answer.',
    ]);
  });
});

describe('where what is known of a request does not go together', () => {
  it('what has ended does not go on', () => {
    const stale = record('running', null);
    expect(cardOf(turn({ record: stale, talk: talk('cancelled') }), NOTHING).state).toBe('cancelled');
    const progress = ended('applied', { revision: 8 });
    expect(cardOf(turn({ record: stale, talk: null, progress }), NOTHING).words).toBe('Applied r8');
  });

  it('what is applied is not proposed as well', () => {
    const run = record('applied', { revision: 3, operations: OPERATIONS });
    expect(cardOf(turn({ record: run, proposal: proposal() }), NOTHING).state).toBe('applied');
  });

  it('what was taken back without ever being applied is what it was', () => {
    const undone = { revision: 6, left_out: 0, of: 3 };
    expect(cardOf(turn({ record: record('cancelled') }), { decided: null, undone }).state).toBe('cancelled');
    const open = turn({ record: record('proposed'), proposal: proposal() });
    expect(cardOf(open, { decided: proposal(), undone }).state).toBe('proposed');
  });

  it('a proposal of which nothing else is known is one', () => {
    expect(cardOf(turn({ proposal: proposal() }), NOTHING).state).toBe('proposed');
  });

  it('a run that cannot be watched any more says so', () => {
    const gone = { code: 'run_not_found', detail: 'Runs are kept for 7 days.' };
    const card = cardOf(turn({ progress: { ...NO_PROGRESS, gone } }), NOTHING);
    expect([card.state, card.failure?.detail]).toEqual(['not-applied', 'Runs are kept for 7 days.']);
  });
});
