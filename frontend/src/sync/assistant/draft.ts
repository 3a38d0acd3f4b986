/**
 * `DraftStore`: the text in the input field of the assistant and the options beside it, kept in session storage so that
 * a reload loses nothing. No React. Not here: the selection, which is in `view/context/uiState.ts`.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type ApplyMode, recallApplyMode, rememberApplyMode } from '../preferences';

export type DraftWorkflow = 'edit' | 'ask' | 'investigate' | 'recommend';
const NOT_EDIT: readonly DraftWorkflow[] = ['ask', 'investigate', 'recommend'];

export interface Draft {
  text: string;
  workflow: DraftWorkflow;
  /** Whether changes are applied at once or proposed. */
  mode: ApplyMode;
  /** What was sent last from the field; empty until something was. */
  last: string;
}

export class DraftStore {
  readonly state: StoreApi<Draft>;
  private readonly key: string;
  /** A text that was chosen from suggestions, not typed. */
  private chosen = '';

  constructor(workspace: string) {
    this.key = `draftsmith.draft.${workspace}`;
    const text = recallDraft(this.key);
    const known = recallDraft(this.workflowKey);
    const workflow = NOT_EDIT.find((one) => one === known) ?? 'edit';
    this.state = createStore(() => ({ text, workflow, mode: recallApplyMode(), last: '' }));
  }

  private get workflowKey(): string {
    return `${this.key}.doing`;
  }

  write(text: string): void {
    this.state.setState({ text });
    rememberDraft(this.key, text);
  }

  /** Empties the field after sending. The text stays in storage until the server has accepted it. */
  sent(): void {
    this.state.setState(({ text }) => ({ text: '', last: text.trim() }));
  }

  /** The server has accepted this text: removes it from storage. */
  accepted(words: string): void {
    if (this.state.getState().text === '' && recallDraft(this.key).trim() === words)
      rememberDraft(this.key, '');
  }

  /** Puts a chosen text into the field. Returns the typed text that it replaced. */
  put(words: string): string {
    const { text } = this.state.getState();
    const replaced = text === this.chosen || text === words ? '' : text.trim();
    this.chosen = words;
    this.write(words);
    return replaced;
  }

  setWorkflow(workflow: DraftWorkflow): void {
    // After a reload a question must not be sent as an edit.
    rememberDraft(this.workflowKey, workflow === 'edit' ? '' : workflow);
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
