/** The name of a node where little room is left for it: long words may break, with a hyphen. Pure. */

import type { Size } from '../../protocol/types';

const SOFT_HYPHEN = '\u00AD';
/** A shorter word is left whole. */
const LONG = 7;
/** No part of a word is shorter. */
const SHORTEST = 3;
const VOWEL = /[aeiouyäöüáéíóúàèìòùâêîôûå]/i;

/** As wide as a usual letter of the bold name, of its height; and a line of it as high. */
const LETTER = 0.76;
const LINE = 1.1;
const LARGEST = 32;
const SMALLEST = 8;
const STEP = 0.5;

/** Sizes of letters on the screen, in CSS pixels: as wanted, still legible, and where the name is rather cut. */
const WANTED = 10.5;
const LEGIBLE = 9;
const LEAST = 8;

export interface BriefName {
  /** With soft hyphens where it had to be broken. */
  text: string;
  /** Of the letters, in pixels of the diagram. */
  size: number;
}

/**
 * @param room for the name, in pixels of the diagram
 * @param zoom pixels of the screen for one of the diagram
 */
export function briefName(name: string, room: Size, zoom: number): BriefName {
  const wanted = Math.min(WANTED / zoom, LARGEST);
  const legible = Math.min(LEGIBLE / zoom, wanted);
  const whole = largest(name.split(' '), room, wanted);
  if (whole >= legible) return { text: name, size: whole };
  const text = name.split(' ').map(breakable).join(' ');
  const broken = largest(text.replaceAll(SOFT_HYPHEN, '- ').split(' '), room, legible);
  const size = Math.max(whole, broken, Math.min(LEAST / zoom, wanted));
  return { text: broken > whole ? text : name, size };
}

function largest(parts: readonly string[], { width, height }: Size, most: number): number {
  const lengths = parts.map((part) => [...part].length);
  for (let size = most; size > SMALLEST; size -= STEP) {
    const lines = linesOf(lengths, Math.floor(width / (LETTER * size)));
    if (lines * LINE * size <= height) return size;
  }
  return SMALLEST;
}

/** How many lines of so many letters the parts fill, Infinity where one is longer. */
function linesOf(lengths: readonly number[], letters: number): number {
  let [lines, used] = [1, 0];
  for (const length of lengths) {
    if (length > letters) return Number.POSITIVE_INFINITY;
    const after = used === 0 ? length : used + 1 + length;
    if (after > letters) lines += 1;
    used = after > letters ? length : after;
  }
  return lines;
}

function breakable(word: string): string {
  const letters = [...word];
  if (letters.length < LONG) return word;
  const middle = letters.length / 2;
  const places = letters.map((_, at) => at).filter((at) => at >= SHORTEST && at <= letters.length - SHORTEST);
  // Before a consonant that a vowel follows a syllable mostly begins.
  const begins = (at: number): boolean => !VOWEL.test(letters[at] ?? '') && VOWEL.test(letters[at + 1] ?? '');
  const near = (one: number, other: number): number => Math.abs(one - middle) - Math.abs(other - middle);
  const best = places.filter(begins).sort(near)[0] ?? places.sort(near)[0];
  if (best === undefined) return word;
  return `${letters.slice(0, best).join('')}${SOFT_HYPHEN}${letters.slice(best).join('')}`;
}
