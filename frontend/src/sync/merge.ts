/**
 * Brings two versions of a text together that grew from one: what both wrote, and what overlaps. Pure.
 *
 * Compared by lines, then by words inside lines that differ; what both sides did alike counts once. Where the two
 * changed the same words theirs stays, and mine is handed back as a conflict: a stretch that I wrote is in the text
 * or in a conflict, never nowhere. Not here: whose turn it is to merge (`session.ts`), what a person sees of it
 * (`tray.ts`).
 */
import { type Changes, ofParts, type Part } from '../model/changes';
import { type Stretch, stretchesBetween } from './diff';

/** `[from, to)` of the base gives way to `insert`; UTF-16 units. */
export interface Hunk {
  from: number;
  to: number;
  insert: string;
}

/** What of mine found no place: what I wrote, what I took out, and what stood before it in the base. */
export interface Conflict {
  inserted: string;
  deleted: string;
  near: string;
}

export interface Merged {
  text: string;
  conflicts: Conflict[];
}

// Words with their accents, one pictogram with all that is joined to it, runs of blanks, line ends, single signs.
const WORDS =
  /\n|[^\S\n]+|[\p{L}\p{N}\p{M}_]+|\p{Extended_Pictographic}(?:[\p{M}\p{Emoji_Modifier}]|\u200d\p{Extended_Pictographic})*|\p{Regional_Indicator}{2}|./gsu;
// Changes of one side with no more than this between them are one thought, which fits or does not.
const NEAR_WORDS = 3;
const NEAR_CHARS = 60;

/** Merge `mine` and `theirs`, which both come from `base`. */
export function merge(base: string, mine: string, theirs: string): Merged {
  const their = hunksBetween(base, theirs);
  const own = gathered(withoutShared(hunksBetween(base, mine), their), base);
  const kept: Hunk[] = [];
  const conflicts: Conflict[] = [];
  for (const hunk of own) {
    switch (judge(hunk, their)) {
      case 'fits':
        kept.push(hunk);
        break;
      case 'done':
        break;
      case 'overlaps':
        conflicts.push(conflictOf(hunk, base));
    }
  }
  return { text: applied(base, their, kept), conflicts };
}

/** What leads from one text to another as changes: word by word, so that others' changes in between find their place. */
export function wordChanges(base: string, other: string): Changes {
  const parts: Part[] = [];
  let at = 0;
  for (const { from, to, insert } of hunksBetween(base, other)) {
    parts.push([from - at, null], [to - from, insert]);
    at = to;
  }
  return ofParts([...parts, [base.length - at, null]]);
}

/** What leads from one text to another: by lines, then by words where lines differ. */
export function hunksBetween(base: string, other: string): Hunk[] {
  if (base === other) return [];
  const a = linesOf(base);
  const b = linesOf(other);
  const atA = offsets(a);
  const atB = offsets(b);
  return stretchesBetween(a, b).flatMap((s) => {
    const from = atA[s.aFrom] as number;
    const old = base.slice(from, atA[s.aTo]);
    return byWords(old, other.slice(atB[s.bFrom], atB[s.bTo]), from);
  });
}

function byWords(old: string, now: string, start: number): Hunk[] {
  const a = old.match(WORDS) ?? [];
  const b = now.match(WORDS) ?? [];
  const at = offsets(a);
  return withoutChance(stretchesBetween(a, b), a).map((s) => ({
    from: start + (at[s.aFrom] as number),
    to: start + (at[s.aTo] as number),
    insert: b.slice(s.bFrom, s.bTo).join(''),
  }));
}

/** Joins stretches between which only blanks and signs are alike: those are alike everywhere. */
function withoutChance(stretches: Stretch[], a: readonly string[]): Stretch[] {
  const out: Stretch[] = [];
  for (const stretch of stretches) {
    const last = out[out.length - 1];
    const between = last ? a.slice(last.aTo, stretch.aFrom).join('') : '';
    if (last && !/[\p{L}\p{N}\n]/u.test(between)) Object.assign(last, { aTo: stretch.aTo, bTo: stretch.bTo });
    else out.push(stretch);
  }
  return out;
}

/** Lines with their ends. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

/** Where each part begins, and where the last ends. */
function offsets(parts: readonly string[]): number[] {
  const at = [0];
  for (const part of parts) at.push((at[at.length - 1] as number) + part.length);
  return at;
}

/**
 * Mine without what they did too. Where both put something in the same place and most of the one is in the other, as
 * after a push whose answer was lost, what is common counts once; `their` is changed to hold the rest of mine.
 */
function withoutShared(own: Hunk[], their: Hunk[]): (Hunk | null)[] {
  const places = new Map(their.map((hunk) => [`${hunk.from} ${hunk.to}`, hunk]));
  return own.map((hunk) => {
    const same = places.get(`${hunk.from} ${hunk.to}`);
    const both = same ? united(same.insert, hunk.insert) : null;
    if (!same || both === null) return hunk;
    same.insert = both;
    return null;
  });
}

/** Both texts with what is common once, theirs first elsewhere; null where that is less than half of the shorter one. */
function united(their: string, own: string): string | null {
  if (their === own || (own !== '' && their.startsWith(own))) return their;
  if (their !== '' && own.startsWith(their)) return own;
  const a = their.match(WORDS) ?? [];
  const b = own.match(WORDS) ?? [];
  let both = '';
  let shared = '';
  let at = 0;
  const share = (to?: number) => {
    const common = a.slice(at, to).join('');
    shared += common;
    both += common;
  };
  for (const stretch of withoutChance(stretchesBetween(a, b), a)) {
    share(stretch.aFrom);
    both += spaced(
      a.slice(stretch.aFrom, stretch.aTo).join(''),
      b.slice(stretch.bFrom, stretch.bTo).join(''),
    );
    at = stretch.aTo;
  }
  share();
  return shared.trim() !== '' && shared.length * 2 >= Math.min(their.length, own.length) ? both : null;
}

/** One after the other, no word glued to the next. */
function spaced(one: string, other: string): string {
  return /\S$/.test(one) && /^\S/.test(other) ? `${one} ${other}` : one + other;
}

/** Join hunks of one side that stand close together on one line; never over one that was done by both (null). */
function gathered(own: readonly (Hunk | null)[], base: string): Hunk[] {
  const out: Hunk[] = [];
  let last: Hunk | null = null;
  for (const hunk of own) {
    if (hunk === null) {
      last = null;
      continue;
    }
    const between = last ? base.slice(last.to, hunk.from) : '';
    if (last && !between.includes('\n') && (between.match(WORDS) ?? []).length <= NEAR_WORDS) {
      last.insert += between + hunk.insert;
      last.to = hunk.to;
    } else {
      last = { ...hunk };
      out.push(last);
    }
  }
  return out;
}

/** Whether a hunk of mine fits among theirs, is done already, or overlaps. */
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
  return {
    inserted: hunk.insert,
    deleted: base.slice(hunk.from, hunk.to),
    near: line.replace(/^[\udc00-\udfff]/, ''),
  };
}

/** The base with both sides' hunks; at one place theirs comes first. */
function applied(base: string, their: readonly Hunk[], own: readonly Hunk[]): string {
  const all = [...their.map((hunk) => ({ hunk, side: 0 })), ...own.map((hunk) => ({ hunk, side: 1 }))];
  all.sort((a, b) => a.hunk.from - b.hunk.from || a.hunk.to - b.hunk.to || a.side - b.side);
  let text = '';
  let at = 0;
  for (const { hunk } of all) {
    // Two deletions may overlap; then `at` stands behind the second's beginning already.
    if (hunk.from > at) text += base.slice(at, hunk.from);
    text += hunk.insert;
    at = Math.max(at, hunk.to);
  }
  return text + base.slice(at);
}
