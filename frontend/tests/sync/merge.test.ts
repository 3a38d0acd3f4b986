/** Merging two versions of a text: both sides' work stands, identical work once, nothing of mine vanishes. */
import { describe, expect, it } from 'vitest';
import { applyTo, deletedBy, ofParts, type Part, stretches } from '../../src/model/core/changes';
import { hunksBetween, type Merged, merge as mergeChanges, wordChanges } from '../../src/sync/text/merge';
import { type Random, seeds } from './random';

/** Merge three texts; what leads to mine is found by comparing. */
function merge(base: string, mine: string, theirs: string): Omit<Merged, 'changes'> {
  const { changes, ...merged } = mergeChanges(base, wordChanges(base, mine), theirs);
  expect(applyTo(theirs, changes)).toBe(merged.text);
  return merged;
}

const WORDS = ['alpha', 'beta', 'gamma', 'delta', '👩‍💻', '🇩🇪', 'é', 'o\u0308l', '–', 'x'];

function someText(random: Random): string {
  const lines = Array.from({ length: random.below(6) }, () =>
    Array.from({ length: random.below(7) }, () => random.pick(WORDS)).join(' '),
  );
  return lines.join('\n');
}

/** Change a text here and there; each insertion is a word that stands nowhere else. */
function edited(text: string, random: Random, mark: string): { text: string; inserted: string[] } {
  const inserted: string[] = [];
  let out = text;
  for (let n = random.below(4); n > 0; n--) {
    const places = [...out.matchAll(/\b|$/gu)].map((match) => match.index);
    const from = random.pick(places);
    const to = random.below(2) ? from : random.pick(places.filter((place) => place >= from));
    const word = random.below(4) ? `${mark}${n}e\u0301` : '';
    // What was inserted just now may go again.
    for (const gone of inserted.filter((earlier) => out.slice(from, to).includes(earlier))) {
      inserted.splice(inserted.indexOf(gone), 1);
    }
    if (inserted.some((earlier) => spansInto(out, earlier, from, to))) continue;
    out = `${out.slice(0, from)}${word ? ` ${word} ` : ''}${out.slice(to)}`;
    if (word) inserted.push(word);
  }
  return { text: out, inserted };
}

const spansInto = (text: string, word: string, from: number, to: number) => {
  const at = text.indexOf(word);
  return at < to && from < at + word.length && !(from <= at && at + word.length <= to);
};

/** What somebody types, to the letter, at any place that is not within a character. */
function typedInto(base: string, random: Random) {
  const signs = [...base];
  const parts: Part[] = [];
  const inserted: string[] = [];
  const removed: string[] = [];
  for (let at = 0; at <= signs.length; ) {
    const kept = signs.slice(at, at + 1 + random.below(20)).join('');
    at += [...kept].length;
    const gone = random.below(2) ? '' : signs.slice(at, at + random.below(4)).join('');
    at += [...gone].length;
    const put = random.below(3) ? `m${inserted.length}x` : '';
    parts.push([kept.length, null], [gone.length, put]);
    if (put) inserted.push(put);
    removed.push(gone);
    if (kept === '') break;
  }
  // Side by side with nothing kept in between two stretches are one.
  const own = ofParts(parts);
  return { own, inserted: stretches(own).map((change) => change.inserted), removed: deletedBy(base, own) };
}

const isWhole = (text: string) => !/\p{Surrogate}/u.test(text);

describe('hunksBetween', () => {
  it('leads from one text to the other, and never cuts a character in two', () => {
    for (const random of seeds(400)) {
      const base = someText(random);
      const other = random.below(3) ? edited(base, random, 'm').text : someText(random);
      let text = '';
      let at = 0;
      for (const hunk of hunksBetween(base, other)) {
        expect(hunk.from >= at && isWhole(hunk.insert) && isWhole(base.slice(hunk.from, hunk.to))).toBe(true);
        text += base.slice(at, hunk.from) + hunk.insert;
        at = hunk.to;
      }
      expect(text + base.slice(at), `seed ${random.seed}`).toBe(other);
    }
  });
});

describe('merge', () => {
  it('gives what the one side made where the other did nothing, or the same', () => {
    for (const random of seeds(300)) {
      const base = someText(random);
      const other = edited(base, random, 'm').text;
      expect(merge(base, other, base)).toEqual({ text: other, conflicts: [] });
      expect(merge(base, base, other)).toEqual({ text: other, conflicts: [] });
      expect(merge(base, other, other)).toEqual({ text: other, conflicts: [] });
    }
  });

  it('loses no inserted stretch: mine is in the text or in a conflict, theirs in the text', () => {
    for (const random of seeds(1500)) {
      const base = someText(random);
      const mine = edited(base, random, 'm');
      const theirs = edited(base, random, 't');
      const merged = merge(base, mine.text, theirs.text);
      const aside = merged.conflicts.map((conflict) => conflict.inserted).join('\n');
      for (const word of mine.inserted) {
        const times = merged.text.split(word).length - 1 + (aside.split(word).length - 1);
        expect(times, `${word} of seed ${random.seed}`).toBe(1);
      }
      for (const word of theirs.inserted)
        expect(merged.text, `${word} of seed ${random.seed}`).toContain(word);
      expect(isWhole(merged.text) && isWhole(aside)).toBe(true);
    }
  });

  it('writes nothing that I did not write, and takes out nothing that I did not take out, within words too', () => {
    for (const random of seeds(1500)) {
      const base = someText(random);
      const { own, inserted, removed } = typedInto(base, random);
      const theirs = random.below(3) ? edited(base, random, 't').text : someText(random);
      const { changes, text, conflicts } = mergeChanges(base, own, theirs);
      const about = `seed ${random.seed}`;
      expect(applyTo(theirs, changes), about).toBe(text);
      // What I put in two places may stand side by side now.
      for (const { inserted: put } of stretches(changes))
        expect(inserted.reduce((rest, mine) => rest.replace(mine, ''), put).trim(), about).toBe('');
      for (const taken of deletedBy(theirs, changes))
        expect(removed.join('').includes(taken), about).toBe(true);
      const aside = conflicts.map((conflict) => conflict.inserted).join('\n');
      for (const put of inserted) expect(`${text}\n${aside}`, about).toContain(put);
    }
  });

  it('counts a push once whose answer was lost, wherever it was, whatever was written around it', () => {
    const base = 'one two, three\nfour five 👩‍💻 six\n\nseven';
    for (const { index } of base.matchAll(/\b|$/gu)) {
      const pushed = `${base.slice(0, index)} m1 m2 ${base.slice(index)}`;
      const merged = merge(base, `m\n${pushed}`, `${pushed}\nt`);
      expect(merged, `at ${index}`).toEqual({ text: `m\n${pushed}\nt`, conflicts: [] });
    }
  });

  it('takes the longer of two insertions of which one goes on where the other ends', () => {
    expect(merge('a\n\nb', 'a\nhello world\nb', 'a\nhello\nb').text).toBe('a\nhello world\nb');
    expect(merge('a\n\nb', 'a\nhello\nb', 'a\nhello world\nb').text).toBe('a\nhello world\nb');
  });

  it('merges changes to different words of one line', () => {
    expect(merge('one two three four five', 'ONE two three four five', 'one two three four FIVE')).toEqual({
      text: 'ONE two three four FIVE',
      conflicts: [],
    });
  });

  it('leaves theirs where both rewrote a word, and hands mine back with what stood before it', () => {
    expect(merge('the red house stands', 'the blue house stands', 'the green house stands')).toEqual({
      text: 'the green house stands',
      conflicts: [{ inserted: 'blue', deleted: 'red', near: 'the' }],
    });
  });

  it('says so where I took out what they rewrote', () => {
    const merged = merge('keep\ndrop this line\nkeep', 'keep\nkeep', 'keep\ndrop this one line\nkeep');
    expect(merged.text).toBe('keep\ndrop this one line\nkeep');
    expect(merged.conflicts).toMatchObject([{ inserted: '', deleted: 'drop this line\n' }]);
  });

  it('puts what both wrote at one place one after the other, theirs first', () => {
    expect(merge('', 'mine', 'theirs').text).toBe('theirsmine');
  });

  it('ends soon on long texts that have nothing in common', () => {
    const long = (word: string) => Array.from({ length: 20_000 }, (_, n) => `${word} ${n}`).join('\n');
    const merged = merge(long('a'), long('b'), long('c'));
    expect(merged.text).toBe(long('c'));
    expect(merged.conflicts.map((conflict) => conflict.inserted).join('')).toContain('b 0\nb 1\n');
  });
});
