/** What the parts of the page share: the client, where oneself is, and a line that says what came of a request. */

import type { PresenceState } from '../../src/protocol/live';
import type { LiveClient, Outcome, ViewChange } from '../../src/sync/client/client';
import { element } from './dom';

/** A part of the page: its element, and what it does when something has changed. */
export interface Part {
  element: HTMLElement;
  show(change: ViewChange | null): void;
}

export class PageContext {
  /** Said once for each request, so that a screen reader can follow. */
  readonly outcome = element('p', { role: 'status', id: 'outcome' });
  private whereabouts: PresenceState = { view: 'split' };

  constructor(readonly client: LiveClient) {}

  /** Tell the others one more thing about where one is. */
  present(more: PresenceState): void {
    this.whereabouts = { ...this.whereabouts, ...more };
    this.client.present(this.whereabouts);
  }

  say(words: string, kind = 'said'): void {
    this.outcome.textContent = words;
    this.outcome.dataset.kind = kind;
  }

  /** Say what comes of a request, when the server has answered. */
  async follow(asked: Promise<Outcome>): Promise<void> {
    const outcome = await asked;
    this.say(wordsFor(outcome), outcome.kind);
  }
}

/** An outcome in words, with what was left out. */
export function wordsFor(outcome: Outcome): string {
  if (outcome.kind === 'rejected') return `Refused: ${outcome.detail}`;
  if (!outcome.changed) return 'There was nothing to change.';
  const left = outcome.leftOut.map(({ what, why }) => ` Left out: ${what} (${why}).`);
  return `Saved as revision ${outcome.rev}.${left.join('')}`;
}
