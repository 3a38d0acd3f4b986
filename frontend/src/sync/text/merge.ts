/**
 * Three-way merge of a text: my changes and theirs since a common base. Pure.
 *
 * Mine are known exactly, as changes; theirs are computed from base and result, by lines, then by words. What both did
 * alike counts once. Where both changed the same words theirs wins, and mine is returned as a conflict: a piece that I
 * wrote is in the text or in a conflict, never lost. The result is a change to their text, so that nothing of theirs is
 * written anew. Not here: when to merge (`sync/session/typing.ts`), how conflicts are shown (`sync/session/tray.ts`).
 */
import { applyTo, type Changes, ofParts, type Part, stretches } from '../../model/core/changes';
import { linesOf, stretchesBetween } from '../../model/core/textDiff';

/** `[from, to)` of the base is replaced by `insert`; UTF-16 units. */
export interface Hunk {
  from: number;
  to: number;
  insert: string;
}

/** A change of mine that has no place: inserted and deleted text, and what preceded it in the base. */
export interface Conflict {
  inserted: string;
  deleted: string;
  near: string;
}

export interface Merged {
  /** The change from their text to the merged one. */
  changes: Changes;
  text: string;
  conflicts: Conflict[];
}

/** A group of my changes that is applied or refused as a whole, widened to words; `hunks` are the exact changes. */
interface Group extends Hunk {
  hunks: Hunk[];
}

// Words with their accents, one emoji with all that is joined to it, runs of blanks, line ends, single characters.
const WORDS =
  /\n|[^\S\n]+|[\p{L}\p{N}\p{M}_]+|\p{Extended_Pictographic}(?:[\p{M}\p{Emoji_Modifier}]|\u200d\p{Extended_Pictographic})*|\p{Regional_Indicator}{2}|./gsu;
const IN_WORD = /[\p{L}\p{N}\p{M}_]/u;
// Changes of mine with no more than this between them form one group.
const NEAR_WORDS = 3;
const NEAR_CHARS = 60;

/** Merges my changes to `base` into `theirs`, which derives from it too. */
export function merge(base: string, own: Changes, theirs: string): Merged {
  const their = hunksBetween(base, theirs);
  const shared = new Map<Hunk, Part[]>();
  const kept: Hunk[] = [];
  const conflicts: Conflict[] = [];
  for (const group of gathered(withoutShared(inWords(own, base), their, shared), base)) {
    const verdict = judge(group, their);
    if (verdict === 'fits') kept.push(...group.hunks);
    else if (verdict === 'overlaps') conflicts.push(conflictOf(group, base));
  }
  const changes = ofParts(partsOnto(base, their, shared, kept));
  return { changes, text: applyTo(theirs, changes), conflicts };
}

/** The changes from one text to another, word by word, so that changes of others in between can be mapped. */
export function wordChanges(base: string, other: string): Changes {
  const parts: Part[] = [];
  let at = 0;
  for (const { from, to, insert } of hunksBetween(base, other)) {
    parts.push([from - at, null], [to - from, insert]);
    at = to;
  }
  return ofParts([...parts, [base.length - at, null]]);
}

// -- theirs --------------------------------------------------------------------------------------------------------

/** The hunks between two texts: by lines, then by words within changed lines. */
export function hunksBetween(base: string, other: string): Hunk[] {
  if (base === other) return [];
  const a = linesOf(base);
  const b = linesOf(other);
  const atA = offsets(a);
  const atB = offsets(b);
  // Empty lines are equal everywhere, which says nothing about what surrounds them.
  return stretchesBetween(a, b, /[\p{L}\p{N}]/u).flatMap((s) => {
    const from = atA[s.aFrom] as number;
    return byWords(base.slice(from, atA[s.aTo]), other.slice(atB[s.bFrom], atB[s.bTo]), from);
  });
}

function byWords(old: string, now: string, start: number): Hunk[] {
  const a = old.match(WORDS) ?? [];
  const b = now.match(WORDS) ?? [];
  const at = offsets(a);
  return stretchesBetween(a, b, SAYS_SOMETHING).map((s) => ({
    from: start + (at[s.aFrom] as number),
    to: start + (at[s.aTo] as number),
    insert: b.slice(s.bFrom, s.bTo).join(''),
  }));
}

// Blanks and punctuation between words are equal by chance, a line end is not.
const SAYS_SOMETHING = /[\p{L}\p{N}\n]/u;

/** The start of each token, and the end of the last. */
function offsets(parts: readonly string[]): number[] {
  const at = [0];
  for (const part of parts) at.push((at[at.length - 1] as number) + part.length);
  return at;
}

// -- mine ----------------------------------------------------------------------------------------------------------

/** My changes, each widened to the words that it touches. */
function inWords(own: Changes, base: string): Group[] {
  const out: Group[] = [];
  for (const { from, to, inserted: insert } of stretches(own)) {
    const [start, end] = wordsAround(base, from, to, insert);
    const last = out[out.length - 1];
    if (last && start <= last.to && (start < last.to || last.to > (last.hunks.at(-1)?.to ?? 0))) {
      last.insert =
        last.insert.slice(0, last.insert.length - (last.to - from)) + insert + base.slice(to, end);
      last.to = end;
      last.hunks.push({ from, to, insert });
    } else {
      const text = base.slice(start, from) + insert + base.slice(to, end);
      out.push({ from: start, to: end, insert: text, hunks: [{ from, to, insert }] });
    }
  }
  return out;
}

function wordsAround(base: string, from: number, to: number, insert: string): [number, number] {
  const isWord = (sign: string | undefined) => sign !== undefined && IN_WORD.test(sign);
  const before = lastSign(base.slice(Math.max(0, from - 2), from));
  const after = firstSign(base.slice(to, to + 2));
  const first = firstSign(insert) ?? after;
  const last = lastSign(insert) ?? before;
  let start = from;
  let end = to;
  if (isWord(before) && (isWord(first) || isWord(firstSign(base.slice(from, from + 2)))))
    start -=
      /(?<![\p{L}\p{N}\p{M}_])[\p{L}\p{N}\p{M}_]+$/u.exec(
        base.slice(Math.max(0, from - NEAR_CHARS), from),
      )?.[0].length ?? 0;
  if (isWord(after) && (isWord(last) || isWord(lastSign(base.slice(Math.max(0, to - 2), to)))))
    end += /^[\p{L}\p{N}\p{M}_]+/u.exec(base.slice(to, to + NEAR_CHARS))?.[0].length ?? 0;
  return [start, end];
}

const firstSign = (text: string): string | undefined => [...text][0];
const lastSign = (text: string): string | undefined => [...text].at(-1);

/**
 * My changes without those that they made too (null). Where both inserted between the same words and most of the one is
 * in the other, as after a push whose answer was lost, the common part counts once; `shared` is what their insertion
 * becomes.
 */
function withoutShared(own: Group[], their: readonly Hunk[], shared: Map<Hunk, Part[]>): (Group | null)[] {
  const places = new Map(their.map((hunk) => [`${hunk.from} ${hunk.to}`, hunk]));
  return own.map((group) => {
    const same = places.get(`${group.from} ${group.to}`);
    if (!same) return group;
    if (same.insert === group.insert) return null;
    const both = group.from === group.to && !shared.has(same) ? united(same.insert, group.insert) : null;
    if (!both) return group;
    shared.set(same, both);
    return null;
  });
}

/** The change that makes their insertion contain mine too; null where less than half of the shorter one is common. */
function united(their: string, own: string): Part[] | null {
  if (their.startsWith(own)) return [[their.length, null]];
  const a = their.match(WORDS) ?? [];
  const b = own.match(WORDS) ?? [];
  if (own.startsWith(their))
    return [
      [their.length, null],
      [0, own.slice(their.length)],
    ];
  const parts: Part[] = [];
  let shared = '';
  let at = 0;
  for (const { aFrom, aTo, bFrom, bTo } of stretchesBetween(a, b, SAYS_SOMETHING)) {
    const common = a.slice(at, aFrom).join('');
    const theirPart = a.slice(aFrom, aTo).join('');
    const ownPart = b.slice(bFrom, bTo).join('');
    const gap = /\S$/.test(theirPart) && /^\S/.test(ownPart) ? ' ' : '';
    parts.push([common.length + theirPart.length, null], [0, ownPart && gap + ownPart]);
    shared += common;
    at = aTo;
  }
  const rest = a.slice(at).join('');
  parts.push([rest.length, null]);
  shared += rest;
  return shared.trim() !== '' && shared.length * 2 >= Math.min(their.length, own.length) ? parts : null;
}

/** Joins groups that are close together on one line; never over one that was made by both (null). */
function gathered(own: readonly (Group | null)[], base: string): Group[] {
  const out: Group[] = [];
  let last: Group | null = null;
  for (const group of own) {
    const between = last && group ? base.slice(last.to, group.from) : '\n';
    if (last && group && !between.includes('\n') && (between.match(WORDS) ?? []).length <= NEAR_WORDS) {
      last.insert += between + group.insert;
      last.to = group.to;
      last.hunks.push(...group.hunks);
    } else {
      last = group && { ...group, hunks: [...group.hunks] };
      if (last) out.push(last);
    }
  }
  return out;
}

/** Whether a group of mine can be applied among theirs, was made already, or overlaps. */
function judge(mine: Hunk, their: readonly Hunk[]): 'fits' | 'done' | 'overlaps' {
  const touched = their.filter((hunk) => overlap(mine, hunk));
  if (touched.length === 0) return 'fits';
  if (mine.insert === '') {
    if (touched.every((hunk) => hunk.insert === '')) return 'fits';
    if (touched.some((hunk) => hunk.from <= mine.from && mine.to <= hunk.to)) return 'done';
  }
  return 'overlaps';
}

function overlap(a: Hunk, b: Hunk): boolean {
  if (a.from === a.to) return b.from < a.from && a.from < b.to;
  if (b.from === b.to) return a.from < b.from && b.from < a.to;
  return Math.max(a.from, b.from) < Math.min(a.to, b.to);
}

function conflictOf(hunk: Hunk, base: string): Conflict {
  const before = base.slice(Math.max(0, hunk.from - NEAR_CHARS), hunk.from).trimEnd();
  const line = before.slice(before.lastIndexOf('\n') + 1);
  // A cut through a surrogate pair would leave half a character at the front.
  const near = line.replace(/^[\udc00-\udfff]/, '');
  return { inserted: hunk.insert, deleted: base.slice(hunk.from, hunk.to), near };
}

// -- result --------------------------------------------------------------------------------------------------------

/** The changes to their text that add mine; at the same position theirs comes first. */
function partsOnto(
  base: string,
  their: readonly Hunk[],
  shared: Map<Hunk, Part[]>,
  own: readonly Hunk[],
): Part[] {
  const all = [...their.map((hunk) => ({ hunk, side: 0 })), ...own.map((hunk) => ({ hunk, side: 1 }))];
  all.sort((a, b) => a.hunk.from - b.hunk.from || a.hunk.to - b.hunk.to || a.side - b.side);
  const parts: Part[] = [];
  let at = 0;
  for (const { hunk, side } of all) {
    if (hunk.from > at) parts.push([hunk.from - at, null]);
    at = Math.max(at, hunk.from);
    if (side === 0) parts.push(...(shared.get(hunk) ?? [[hunk.insert.length, null] as Part]));
    else parts.push([standing(their, at, hunk.to), hunk.insert]);
    at = Math.max(at, hunk.to);
  }
  return [...parts, [base.length - at, null]];
}

/** How much of a range of the base is still in their text. */
function standing(their: readonly Hunk[], from: number, to: number): number {
  const gone = their.map((hunk) => Math.max(0, Math.min(to, hunk.to) - Math.max(from, hunk.from)));
  return Math.max(0, to - from) - gone.reduce((sum, length) => sum + length, 0);
}
