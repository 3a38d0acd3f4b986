/**
 * Composing and mapping changes, over their parts. Twin of the server's `transform/steps/changeset.py` and
 * `transform/steps/rebase.py`; for changes in normal form the results equal CodeMirror's. Imported through `changes.ts`.
 *
 * Not CodeMirror's own code, because the page needs it before the text editor is opened, whose package is as large as
 * the rest of the live client.
 */
import type { Part } from './changeParts';

/** Composes two changes into one; neighbouring parts are not joined. */
export function composed(before: readonly Part[], after: readonly Part[]): Part[] {
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
export function mappedParts(mine: readonly Part[], other: readonly Part[], isBefore: boolean): Part[] {
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
export function offsetAfter(parts: readonly Part[], at: number, assoc: -1 | 1): number {
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
