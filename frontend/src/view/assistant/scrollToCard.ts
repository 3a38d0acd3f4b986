/** A request to scroll to a card of the conversation and focus it; the panel may still be opening. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AssistantStore } from '../../sync/assistant/assistant';

export interface ScrollRequest {
  run: string;
  /** Incremented for each request. */
  at: number;
}

const pointed = new WeakMap<AssistantStore, StoreApi<{ card: ScrollRequest | null }>>();

export function scrollRequests(store: AssistantStore): StoreApi<{ card: ScrollRequest | null }> {
  let found = pointed.get(store);
  if (!found) {
    found = createStore(() => ({ card: null as ScrollRequest | null }));
    pointed.set(store, found);
  }
  return found;
}

export function scrollToCard(store: AssistantStore, run: string): void {
  const pointing = scrollRequests(store);
  pointing.setState(({ card }) => ({ card: { run, at: (card?.at ?? 0) + 1 } }));
}

/** The request was carried out. */
export function scrolledToCard(store: AssistantStore, at: number): void {
  const pointing = scrollRequests(store);
  if (pointing.getState().card?.at === at) pointing.setState({ card: null });
}
