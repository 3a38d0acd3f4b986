/** Which card of the conversation is to come into sight, with the keyboard on it; the panel may still be opening. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AssistantStore } from '../../sync/assistant/assistant';

export interface Pointed {
  run: string;
  /** A greater one asks again. */
  at: number;
}

const pointed = new WeakMap<AssistantStore, StoreApi<{ card: Pointed | null }>>();

export function pointingOf(store: AssistantStore): StoreApi<{ card: Pointed | null }> {
  let found = pointed.get(store);
  if (!found) {
    found = createStore(() => ({ card: null as Pointed | null }));
    pointed.set(store, found);
  }
  return found;
}

export function pointOut(store: AssistantStore, run: string): void {
  const pointing = pointingOf(store);
  pointing.setState(({ card }) => ({ card: { run, at: (card?.at ?? 0) + 1 } }));
}

/** It has been brought into sight. */
export function pointedOut(store: AssistantStore, at: number): void {
  const pointing = pointingOf(store);
  if (pointing.getState().card?.at === at) pointing.setState({ card: null });
}
