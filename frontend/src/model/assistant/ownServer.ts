/** A server of models of one's own: the steps by which it is tried, and what came of them, in words. Pure. */
import type { EnteredServer, TrialStep } from '../../protocol/types';

/** In their order; each reading step is longer than the one before, and the first that fails is the last. */
export const TRIAL_STEPS: readonly TrialStep[] = ['answers', 'tools', 'reads_4k', 'reads_16k', 'reads_32k'];

const NAMES: Record<TrialStep, string> = {
  answers: 'Answers',
  tools: 'Calls tools',
  reads_4k: 'Reads 4,000 tokens',
  reads_16k: 'Reads 16,000 tokens',
  reads_32k: 'Reads 32,000 tokens',
};

export interface TrialRow {
  step: TrialStep;
  name: string;
  /** `skipped`: a step before it failed, so it would say nothing. */
  state: 'waiting' | 'running' | 'good' | 'bad' | 'skipped';
  /** What came of it; empty where nothing did yet. */
  detail: string;
}

/** Every step as it stands while `running` is made, or null once none is. */
export function trialRows({ trials }: Pick<EnteredServer, 'trials'>, running: TrialStep | null): TrialRow[] {
  return TRIAL_STEPS.map((step) => {
    const result = trials[step];
    const state = result ? (result.ok ? 'good' : 'bad') : running === null ? 'skipped' : 'waiting';
    return {
      step,
      name: NAMES[step],
      state: step === running ? 'running' : state,
      detail: step === running ? '' : (result?.detail ?? ''),
    };
  });
}

/** The step to make after one; null where what came of it makes further ones useless. */
export function stepAfter({ trials }: Pick<EnteredServer, 'trials'>, step: TrialStep): TrialStep | null {
  const isGood = trials[step]?.ok ?? false;
  if (!isGood && step !== 'tools') return null;
  return TRIAL_STEPS[TRIAL_STEPS.indexOf(step) + 1] ?? null;
}

/** What all of it means for the work here. */
export function trialVerdict({ trials }: Pick<EnteredServer, 'trials'>): string {
  if (!trials.answers?.ok) return 'It does not answer, so requests to it will fail.';
  if (trials.tools?.code === 'no_tools') return 'It can answer questions, but it cannot edit.';
  if (!trials.tools?.ok)
    return 'It does not work here: every request, questions too, offers tools, and it failed with those.';
  if (!trials.reads_16k?.ok)
    return 'It works for small workspaces: longer requests are cut or take too long.';
  return 'It is ready: ask it for something.';
}

/** Where an address leads, before it is kept. */
export function placeWords(address: string, ipAddresses: readonly string[]): string {
  return `${address} leads to ${ipAddresses.join(', ')}.`;
}
