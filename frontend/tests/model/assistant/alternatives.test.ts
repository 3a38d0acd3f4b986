/** Alternatives: which a request has, which are open, and what a card says of one that was not chosen. */
import { describe, expect, it } from 'vitest';
import {
  alternativesOf,
  isRecommendation,
  openAlternatives,
  turnOfAlternative,
} from '../../../src/model/assistant/alternatives';
import { cardOf, type Turn } from '../../../src/model/assistant/card';
import type { LiveProposal } from '../../../src/protocol/live';
import type { ProposalFull, Run } from '../../../src/protocol/types';
import { turn } from './turns';

const proposal = (index: number, group = 'run'): LiveProposal =>
  ({
    id: `${group}-${index}`,
    run: group,
    status: 'open',
    fit: 'fits',
    conflicts: [],
    what: [],
    alternative: { group, index, of: 2, title: `Way ${index}`, gains: [], costs: [] },
  }) as unknown as LiveProposal;
const record = (more: object): Run =>
  ({ workflow: 'recommend', status: 'proposed', outcome: {}, ...more }) as unknown as Run;
const turnOfRun = (more: Partial<Turn>) => turn({ run: 'run', ...more });

describe('the alternatives of a request', () => {
  it('are those that the run ended with, else those that are open, in their order', () => {
    const outcome = { alternatives: [{ proposal: 'run-0', title: 'Way 0' }] };
    const live = [proposal(1), proposal(0), proposal(0, 'other')];
    expect(alternativesOf(turnOfRun({ record: record({ outcome }) }), live)).toEqual([
      { id: 'run-0', title: 'Way 0' },
    ]);
    expect(alternativesOf(turnOfRun({}), live).map(({ id }) => id)).toEqual(['run-0', 'run-1']);
    expect(openAlternatives(turnOfRun({}), live)).toHaveLength(2);
  });

  it('are there where a run recommends and has ended so, and for nothing else', () => {
    expect(isRecommendation(turnOfRun({ record: record({}) }))).toBe(true);
    expect(isRecommendation(turnOfRun({ proposal: proposal(0) }))).toBe(true);
    expect(isRecommendation(turnOfRun({ record: record({ status: 'answered' }) }))).toBe(false);
    expect(isRecommendation(turnOfRun({ record: record({ workflow: 'edit' }) }))).toBe(false);
  });

  it('that were not chosen say so, and offer nothing', () => {
    const own = turnOfAlternative(turnOfRun({ record: record({}) }), 'run-1', []);
    const decided = { ...proposal(1), status: 'withdrawn', count: 1, outcome: { by: {} } };
    const card = cardOf(own, { decided: decided as unknown as ProposalFull, undone: null });
    expect([card.state, card.words]).toEqual(['not-applied', 'Not chosen']);
    expect(card.failure).toMatchObject({ sentence: 'Another alternative was accepted.', steps: [] });
  });
});
