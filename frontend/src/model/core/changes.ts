/**
 * Changes to a text as a value, in CodeMirror 6's JSON form: `[kept, [deleted], [deleted, "line", "line"], …]` from front
 * to back, lengths in UTF-16 units, LF the only line end. Twin of the server's `transform/steps/changeset.py` and
 * `transform/steps/rebase.py`.
 *
 * *Normal form*: what is empty is left out and neighbouring changed parts are joined, so that equal changes are equal
 * values. Everything here gives it; server and page map in it and therefore agree, also with CodeMirror, whose own
 * code this is not: the page needs it before the text editor is opened, whose package is as large as the rest of the live
 * client. Not here: finding the changes between two texts (`textDiff.ts`).
 */
import {
  type AnyChanges,
  type Changes,
  normal,
  ofParts,
  type Part,
  partsOf,
  splitsPair,
} from './changeParts';

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

/** Composes two changes into one; neighbouring parts are not joined. */
function composed(before: readonly Part[], after: readonly Part[]): Part[] {
  const out: Part[] = [];
  const first = [...before].reverse();
  const second = [...after].reverse();
  while (first.length > 0 || second.length > 0) {
    if (first.at(-1)?.[1] === '')
      out.push(first.pop() as Part); // deleted by the first: the second never saw it
    else if (second.at(-1)?.[0] === 0)
      out.push(second.pop() as Part); // inserted by the second
    else out.push(...overlapped(first, second));
  }
  return out;
}

/** Pairs output of the first with input of the second, at equal lengths; returns what the longer part leaves over. */
function overlapped(first: Part[], second: Part[]): Part[] {
  const [length, text] = first.pop() as Part;
  const [taken, put] = second.pop() as Part;
  const outputLength = text === null ? length : text.length;
  const size = Math.min(outputLength, taken);
  if (outputLength > size) first.push(text === null ? [length - size, null] : [0, text.slice(size)]);
  if (taken > size) second.push([taken - size, put === null ? null : '']);
  if (text === null) return [[size, put]];
  return [[length, put === null ? text.slice(0, size) : put]];
}

/** Maps `mine` over `other`; `isBefore`: whether mine comes first where both insert at the same position. */
function mappedParts(mine: readonly Part[], other: readonly Part[], isBefore: boolean): Part[] {
  const out: Part[] = [];
  const own = new PartReader(mine);
  const theirs = new PartReader(other);
  while (!(own.isDone && theirs.isDone)) {
    if (own.inserted === null && theirs.inserted === null) {
      const length = Math.min(own.left, theirs.left);
      out.push([length, null]);
      own.forward(length);
      theirs.forward(length);
    } else if (theirs.inserted !== null && comesFirst(theirs, own, isBefore)) pastTheirs(own, theirs, out);
    else out.push(upToTheirs(own, theirs));
  }
  return out;
}

/** Reads parts along the text before the changes; a part can be taken in pieces. */
class PartReader {
  /** Remaining units of the current part, in the text before. */
  left = 0;
  /** The insertion of the current part; null for a kept one, and at the end. */
  inserted: string | null = null;
  /** Whether that insertion was returned already. */
  isWritten = false;
  private index = -1;

  constructor(private readonly parts: readonly Part[]) {
    this.next();
  }

  get isDone(): boolean {
    return this.index >= this.parts.length;
  }

  /** Whether the current part is untouched. */
  get isWhole(): boolean {
    return this.left === this.parts[this.index]?.[0];
  }

  next(): void {
    this.index += 1;
    const part = this.parts[this.index];
    this.left = part?.[0] ?? 0;
    this.inserted = part?.[1] ?? null;
    this.isWritten = false;
  }

  forward(length: number): void {
    if (length === this.left) this.next();
    else this.left -= length;
  }

  /** The insertion of the current part, once. */
  insertion(): string {
    const text = this.isWritten ? '' : (this.inserted ?? '');
    this.isWritten = true;
    return text;
  }
}

/** Whether the other's change comes before mine: by start, then by length, then as requested. */
function comesFirst(theirs: PartReader, own: PartReader, isBefore: boolean): boolean {
  if (own.inserted === null || own.isWritten) return true;
  return own.isWhole && (theirs.left < own.left || (theirs.left === own.left && !isBefore));
}

/** Their insertion is kept; of mine in the range that they deleted, only insertions are left. */
function pastTheirs(own: PartReader, theirs: PartReader, out: Part[]): void {
  out.push([theirs.inserted?.length ?? 0, null]);
  for (let length = theirs.left; length > 0; ) {
    const piece = Math.min(own.left, length);
    if (own.inserted !== null && own.left <= piece) out.push([0, own.insertion()]);
    own.forward(piece);
    length -= piece;
  }
  theirs.next();
}

/** My change up to the start of an insertion of theirs inside it, without what they deleted of it. */
function upToTheirs(own: PartReader, theirs: PartReader): Part {
  let taken = 0;
  let left = own.left;
  while (left > 0) {
    if (theirs.inserted === null) {
      const piece = Math.min(left, theirs.left);
      taken += piece;
      left -= piece;
      theirs.forward(piece);
    } else if (theirs.inserted === '' && theirs.left < left) {
      left -= theirs.left;
      theirs.next();
    } else break;
  }
  const part: Part = [taken, own.insertion()];
  own.forward(own.left - left);
  return part;
}

/** Maps a position; `assoc` says on which side of an insertion at the position it ends up. */
function offsetAfter(parts: readonly Part[], at: number, assoc: -1 | 1): number {
  let from = 0;
  let now = 0;
  for (const [length, inserted] of parts) {
    const to = from + length;
    if (inserted === null) {
      if (at < to) return now + at - from;
      now += length;
    } else {
      const isHere = at < to || (at === to && assoc < 0 && length === 0);
      if (isHere) return at === from || assoc < 0 ? now : now + inserted.length;
      now += inserted.length;
    }
    from = to;
  }
  return now;
}
