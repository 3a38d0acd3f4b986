/**
 * What stands in the field where one asks the assistant, and how it is meant; kept for this tab, so that a reload loses
 * nothing. No React. Not here: what is selected, which `view/context/uiState.ts` holds.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type ApplyMode, recallApplyMode, rememberApplyMode } from '../preferences';

export type DraftWorkflow = 'edit' | 'ask';

export interface Draft {
  text: string;
  workflow: DraftWorkflow;
  /** What becomes of changes. */
  mode: ApplyMode;
}

export class DraftStore {
  readonly state: StoreApi<Draft>;
  private readonly key: string;
  /** What was put there, not written. */
  private chosen = '';

  constructor(workspace: string) {
    this.key = `draftsmith.draft.${workspace}`;
    const text = recallDraft(this.key);
    const workflow = recallDraft(this.workflowKey) === 'ask' ? 'ask' : 'edit';
    this.state = createStore(() => ({ text, workflow, mode: recallApplyMode() }));
  }

  private get workflowKey(): string {
    return `${this.key}.doing`;
  }

  write(text: string): void {
    this.state.setState({ text });
    rememberDraft(this.key, text);
  }

  /** It is on its way: the field is empty; should the page go before the server has it, it stands there again. */
  sent(): void {
    this.state.setState({ text: '' });
  }

  /** The server has these words: they are not kept here any more. */
  accepted(words: string): void {
    if (this.state.getState().text === '' && recallDraft(this.key).trim() === words)
      rememberDraft(this.key, '');
  }

  /** Put words there that somebody chose; the answer is what they had written themselves, and is gone by that. */
  put(words: string): string {
    const { text } = this.state.getState();
    const replaced = text === this.chosen || text === words ? '' : text.trim();
    this.chosen = words;
    this.write(words);
    return replaced;
  }

  setWorkflow(workflow: DraftWorkflow): void {
    // A question that is sent as a change after a reload would change something.
    rememberDraft(this.workflowKey, workflow === 'ask' ? workflow : '');
    this.state.setState({ workflow });
  }

  setMode(mode: ApplyMode): void {
    rememberApplyMode(mode);
    this.state.setState({ mode });
  }
}

function recallDraft(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

function rememberDraft(key: string, text: string): void {
  try {
    if (text) sessionStorage.setItem(key, text);
    else sessionStorage.removeItem(key);
  } catch {
    // Where nothing can be stored, it lasts as long as the page.
  }
}
