/**
 * What a code of the server means to a person, and what can be done next. Pure.
 *
 * One table, which stands in docs/operations.md ("In words") as well; `tests/model/codeWords.test.ts` compares the two.
 * Not here: the particulars of a case, which the server says in `detail` and `message`.
 */

/** What a button under a refusal does. */
export type NextStep =
  | 'retry'
  | 'edit'
  | 'connect'
  | 'stop'
  | 'show'
  | 'undo'
  | 'proposal'
  | 'template'
  | 'settings'
  | 'reload'
  | 'copy';

/** What is written on it. */
export const NEXT_STEPS: Readonly<Record<NextStep, string>> = {
  retry: 'Try again',
  edit: 'Edit the request',
  connect: 'Connect a model',
  stop: 'Stop the other request',
  show: 'Show',
  undo: 'Undo',
  proposal: 'Open the proposal',
  template: 'Begin with a template',
  settings: 'Open settings',
  reload: 'Reload the page',
  copy: 'Copy the details',
};

export interface CodeWords {
  sentence: string;
  /** The likeliest first. */
  steps: readonly NextStep[];
}

export const CODE_WORDS: Readonly<Record<string, CodeWords>> = {
  needs_key: { sentence: 'No model is connected.', steps: ['connect', 'edit'] },
};

const UNKNOWN: CodeWords = { sentence: 'This was refused.', steps: ['retry', 'copy'] };

export const codeWords = (code: string): CodeWords => CODE_WORDS[code] ?? UNKNOWN;
