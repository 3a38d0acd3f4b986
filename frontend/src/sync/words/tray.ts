/** Items of the tray as text for copying, and the result of applying one again, in words. Pure. */
import type { AppliedAgain } from '../session/outcome';
import { whyOf } from '../session/outcome';
import type { TrayItem } from '../session/tray';

/** The typed text, or the operations as JSON. */
export function contentOf({ text, operations }: TrayItem): string {
  if (!text) return JSON.stringify(operations ?? [], null, 2);
  return text.inserted.length > 0 ? text.inserted.join('\n') : (text.deleted ?? []).join('\n');
}

export interface Result {
  isGood: boolean;
  words: string;
}

export function resultOf(what: string, outcome: AppliedAgain): Result {
  if (outcome === 'typed') return { isGood: true, words: `Put back into the document: ${what}.` };
  if (outcome === 'misplaced') {
    const why = 'What it stood beside is gone from the document. Copy it and put it in by hand.';
    return { isGood: false, words: `Still has no place: ${what}. ${why}` };
  }
  if (outcome.kind === 'rejected')
    return { isGood: false, words: `Did not fit again: ${what}. ${whyOf(outcome)}` };
  return outcome.changed
    ? { isGood: true, words: `Applied: ${what}. Saved as revision ${outcome.rev}.` }
    : { isGood: true, words: `Nothing to do any more: ${what}. It is so already.` };
}
