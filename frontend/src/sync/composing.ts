/**
 * What stands in the field where one asks the assistant, and how it is meant; kept for this tab, so that a reload loses
 * nothing. No React. Not here: what is selected, which is the desk's.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Becoming, recallBecoming, rememberBecoming } from './preferences';

export type Doing = 'edit' | 'ask';

export interface Composed {
  text: string;
  doing: Doing;
  /** What becomes of changes. */
  becoming: Becoming;
}

export class Composing {
  readonly state: StoreApi<Composed>;
  private readonly key: string;

  constructor(workspace: string) {
    this.key = `draftsmith.draft.${workspace}`;
    const text = recallDraft(this.key);
    this.state = createStore(() => ({ text, doing: 'edit', becoming: recallBecoming() }));
  }

  write(text: string): void {
    this.state.setState({ text });
    rememberDraft(this.key, text);
  }

  setDoing(doing: Doing): void {
    this.state.setState({ doing });
  }

  setBecoming(becoming: Becoming): void {
    rememberBecoming(becoming);
    this.state.setState({ becoming });
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
