/** The step on the document: changes and the text they delete, so that it can be checked and inverted by itself. */
import type { TextStep } from '../../protocol/live';
import { ChangesRefused, deletedBy, invert, stretches } from './changes';
import { same } from './values';

/** Checks the length and every deleted range. */
export function textMisfit(step: TextStep, text: string): string | null {
  try {
    if (same(deletedBy(text, step.c), step.d)) return null;
  } catch (error) {
    if (!(error instanceof ChangesRefused)) throw error;
  }
  return 'the text has been changed since';
}

/** The inverse step. */
export function inverseText(step: TextStep): TextStep {
  const inserted = stretches(step.c).map((change) => change.inserted);
  return { k: 'text', c: invert(step.c, step.d), d: inserted };
}
