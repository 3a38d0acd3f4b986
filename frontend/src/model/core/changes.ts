/**
 * Changes to a text as a value, in CodeMirror 6's JSON form: `[kept, [deleted], [deleted, "line", "line"], …]` from front
 * to back, lengths in UTF-16 units, LF the only line end. Twin of the server's `transform/steps/changeset.py`.
 *
 * *Normal form*: what is empty is left out and neighbouring changed parts are joined, so that equal changes are equal
 * values. Everything here gives it; server and page map in it and therefore agree, also with CodeMirror. Not here: how
 * composing and mapping is done (`changeMaths.ts`), finding the changes between two texts (`textDiff.ts`).
 */
import { composed, mappedParts, offsetAfter } from './changeMaths';
import { type AnyChanges, type Changes, normal, ofParts, partsOf, splitsPair } from './changeParts';

export {
  type AnyChanges,
  type Changes,
  normal,
  ofParts,
  type Part,
  partsOf,
  splitsPair,
} from './changeParts';
export { changesBetween } from './textDiff';

/** Changes of an invalid form, or not for this text. */
export class ChangesRefused extends Error {
  override name = 'ChangesRefused';
}

/** A replaced range: `[from, to)` before, `[newFrom, newTo)` after. */
export interface Change {
  from: number;
  to: number;
  newFrom: number;
  newTo: number;
  inserted: string;
}

const LONGEST = 2 ** 31;

/** Length of the text before, in UTF-16 units. */
export function lengthBefore(changes: AnyChanges): number {
  return partsOf(changes).reduce((sum, [length]) => sum + length, 0);
}

/** Length of the text after, in UTF-16 units. */
export function lengthAfter(changes: AnyChanges): number {
  return partsOf(changes).reduce((sum, [length, inserted]) => sum + (inserted?.length ?? length), 0);
}

/** Whether changes change nothing. */
export function isEmpty(changes: AnyChanges): boolean {
  return partsOf(changes).every(([, inserted]) => inserted === null);
}

/** The replaced ranges, in order. */
export function stretches(changes: AnyChanges): Change[] {
  const found: Change[] = [];
  let at = 0;
  let now = 0;
  for (const [length, inserted] of partsOf(changes)) {
    const size = inserted?.length ?? length;
    if (inserted !== null)
      found.push({ from: at, to: at + length, newFrom: now, newTo: now + size, inserted });
    at += length;
    now += size;
  }
  return found;
}

/**
 * Applies changes to a text.
 *
 * Throws ChangesRefused: the text has another length, or a change would split a surrogate pair.
 */
export function applyTo(text: string, changes: AnyChanges): string {
  let out = '';
  let at = 0;
  for (const { from, to, inserted } of fitting(text, changes)) {
    out += text.slice(at, from) + inserted;
    at = to;
  }
  return out + text.slice(at);
}

/** The text that each change deletes, in order. Throws as `applyTo`. */
export function deletedBy(text: string, changes: AnyChanges): string[] {
  return fitting(text, changes).map(({ from, to }) => text.slice(from, to));
}

function fitting(text: string, changes: AnyChanges): Change[] {
  const found = stretches(changes);
  if (lengthBefore(changes) !== text.length)
    throw new ChangesRefused('the changes are for a text of another length');
  if (found.some(({ from, to }) => splitsPair(text, from) || splitsPair(text, to)))
    throw new ChangesRefused('a change would split a surrogate pair');
  return found;
}

/** The inverse changes, given the text that each of them (in normal form) deleted. */
export function invert(changes: AnyChanges, deleted: readonly string[]): Changes {
  let taken = 0;
  return ofParts(
    partsOf(changes).map(([length, inserted]) =>
      inserted === null ? [length, null] : [inserted.length, deleted[taken++] ?? ''],
    ),
  );
}

/**
 * Composes two changes into one.
 *
 * Throws ChangesRefused: the second is not for the text that the first leads to.
 */
export function compose(first: AnyChanges, second: AnyChanges): Changes {
  if (lengthAfter(first) !== lengthBefore(second))
    throw new ChangesRefused('the changes do not follow one another');
  return ofParts(composed(partsOf(first), partsOf(second)));
}

/**
 * Maps `mine` over `other`; both are for the same text.
 *
 * Where both insert at the same position, other's comes first, unless `before` says that mine does.
 *
 * Throws ChangesRefused: they are for texts of different lengths.
 */
export function mapped(mine: AnyChanges, other: AnyChanges, before = false): Changes {
  if (lengthBefore(mine) !== lengthBefore(other))
    throw new ChangesRefused('the changes are for texts of different lengths');
  return ofParts(mappedParts(partsOf(mine), partsOf(other), before));
}

/**
 * Maps a position in the text before to the text after.
 *
 * Where text is inserted at the position, `assoc` says whether it stays before it (-1) or moves behind it (1). A
 * position in a deleted range maps to where the range was.
 */
export function mapOffset(changes: AnyChanges, at: number, assoc: -1 | 1 = -1): number {
  return offsetAfter(partsOf(changes), Math.min(at, lengthBefore(changes)), assoc);
}

/**
 * Validates changes from outside; returns the normal form.
 *
 * Throws ChangesRefused: they are not of that form, or hold CR or half a surrogate pair.
 */
export function check(shape: unknown): Changes {
  if (!Array.isArray(shape)) throw new ChangesRefused('a ChangeSet is a list');
  for (const part of shape) checkPart(part);
  return normal(shape as Changes);
}

function checkPart(part: unknown): void {
  if (isLength(part)) return;
  if (!Array.isArray(part) || !isLength(part[0]))
    throw new ChangesRefused('a part is a length, or a list of a length and lines');
  const lines: unknown[] = part.slice(1);
  for (const line of lines) {
    if (typeof line !== 'string') throw new ChangesRefused('inserted lines are texts');
    if (line.includes('\r') || /\p{Surrogate}/u.test(line))
      throw new ChangesRefused('inserted text holds CR or half a surrogate pair');
  }
}

function isLength(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < LONGEST;
}
