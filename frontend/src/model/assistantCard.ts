/**
 * One request to the assistant as its card in the conversation shows it: one state, never a mix of what is applied and
 * what is not. Pure. Not here: how far a run has come (`runProgress.ts`), what codes mean (`codeWords.ts`).
 */
import type { Proposal, Run, Talk } from '../protocol/types';
import type { RunProgress } from './runProgress';

/** What is known of a request: each part where this page has it. */
export interface Turn {
  run: string;
  /** From the conversation that the workspace keeps. */
  talk: Talk | null;
  /** From the runs, which are kept for 7 days. */
  record: Run | null;
  /** If this page watched it. */
  progress: RunProgress | null;
  /** What still waits for a yes. */
  proposal: Proposal | null;
  isMine: boolean;
}
