/** The steps by which a server of one's own is tried, and what they come to. */
import { describe, expect, it } from 'vitest';
import { stepAfter, trialRows, trialVerdict } from '../../../src/model/assistant/ownServer';
import type { EnteredServer } from '../../../src/protocol/types';

const result = (ok: boolean, code = 'cut') => ({
  ok,
  code: ok ? '' : code,
  detail: ok ? 'Yes.' : 'No.',
  facts: {},
});
const tried = (trials: Record<string, boolean>): EnteredServer => ({
  lacks: '',
  address: 'http://localhost:11434/v1',
  model: 'qwen3',
  trials: Object.fromEntries(Object.entries(trials).map(([step, ok]) => [step, result(ok)])),
});

describe('a trial', () => {
  it('goes on after tools that are not called, and ends with the first other step that fails', () => {
    expect(stepAfter(tried({ answers: true }), 'answers')).toBe('tools');
    expect(stepAfter(tried({ answers: false }), 'answers')).toBeNull();
    expect(stepAfter(tried({ tools: false }), 'tools')).toBe('reads_4k');
    expect(stepAfter(tried({ reads_16k: false }), 'reads_16k')).toBeNull();
    expect(stepAfter(tried({ reads_32k: true }), 'reads_32k')).toBeNull();
  });

  it('shows each step as it stands, and what is tried now without what came of it before', () => {
    const states = (running: Parameters<typeof trialRows>[1]) =>
      trialRows(tried({ answers: true, tools: false }), running).map(({ state }) => state);
    expect(states('reads_4k')).toEqual(['good', 'bad', 'running', 'waiting', 'waiting']);
    expect(states(null)).toEqual(['good', 'bad', 'skipped', 'skipped', 'skipped']);
    expect(trialRows(tried({ answers: true }), 'answers')[0]).toMatchObject({ state: 'running', detail: '' });
  });

  it('ends in a sentence for the work here', () => {
    const all = { answers: true, tools: true, reads_4k: true, reads_16k: true };
    expect(trialVerdict(tried({ ...all, answers: false }))).toContain('does not answer');
    const without = (code: string) => ({
      ...tried(all),
      trials: { answers: result(true), tools: result(false, code) },
    });
    expect(trialVerdict(without('no_tools'))).toContain('cannot edit');
    expect(trialVerdict(without('bad_request'))).toContain('questions too');
    expect(trialVerdict(tried({ ...all, reads_16k: false }))).toContain('small workspaces');
    expect(trialVerdict(tried(all))).toContain('ready');
  });
});
