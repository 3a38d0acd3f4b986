/**
 * Moves of sections in the outline: where a section may go, and the operation that takes it there, with its subsections. Pure.
 */
import type { Operation } from '../../protocol/live';
import type { Heading } from './outline';

/** Where a section is put: before or after another, or into it as its last subsection. */
export interface Drop {
  /** Index of the other one's heading. */
  at: number;
  place: 'before' | 'after' | 'into';
}

/** A direction by keyboard: among its neighbours, into the one before it, or out of the one that it is in. */
export type Step = 'up' | 'down' | 'in' | 'out';

/** A move; `words` say it, as "Moved “Goals” before “Plan”". Without an operation it stands there already. */
export interface SectionMove {
  operation: Operation | null;
  words: string;
}

export interface RefusedMove {
  refusal: string;
}

/** The index behind a section's last subsection. */
export function endOf(headings: readonly Heading[], at: number): number {
  const level = headings[at]?.level ?? 0;
  let end = at + 1;
  while ((headings[end]?.level ?? 0) > level) end += 1;
  return end;
}

/** The index of the section that one is in; -1 for none. */
export function parentOf(headings: readonly Heading[], at: number): number {
  const level = headings[at]?.level ?? 0;
  let parent = at - 1;
  while ((headings[parent]?.level ?? 0) >= level) parent -= 1;
  return parent;
}

/** Where a step takes a section, or why it takes it nowhere. */
export function dropOf(headings: readonly Heading[], at: number, step: Step): Drop | RefusedMove {
  const parent = parentOf(headings, at);
  const isBeside = (index: number) => parentOf(headings, index) === parent;
  if (step === 'out')
    return parent < 0
      ? { refusal: `${named(headings[at])} is in no other section.` }
      : { at: parent, place: 'after' };
  if (step === 'down') {
    const next = endOf(headings, at);
    return next < headings.length && isBeside(next)
      ? { at: next, place: 'after' }
      : { refusal: `${named(headings[at])} is the last one here.` };
  }
  const before = headings.findLastIndex((_, index) => index < at && index > parent && isBeside(index));
  if (before < 0)
    return {
      refusal:
        step === 'up'
          ? `${named(headings[at])} is the first one here.`
          : `There is no section before ${named(headings[at])} that it could go into.`,
    };
  return { at: before, place: step === 'up' ? 'before' : 'into' };
}

/** The move of a section there, or why it cannot be made. */
export function moveOf(
  headings: readonly Heading[],
  at: number,
  { at: beside, place }: Drop,
): SectionMove | RefusedMove {
  const [moved, other] = [headings[at], headings[beside]];
  if (!moved || !other) return { refusal: 'That section is there no more.' };
  if (at <= beside && beside < endOf(headings, at))
    return at === beside && place !== 'into'
      ? { operation: null, words: `${named(moved)} stands there already` }
      : { refusal: 'A section cannot be moved into itself.' };
  const twice = [at, beside].find((one) => isNotAlone(headings, one));
  if (twice !== undefined)
    return {
      refusal: `There is more than one ${named(headings[twice])} in the same place. Rename one of them first.`,
    };
  const operation = {
    op: 'move_section',
    section: pathOf(headings, at),
    [place]: pathOf(headings, beside),
  } as Operation;
  const words = `Moved ${named(moved)} ${place} ${named(other)}`;
  return { operation: isThere(headings, at, { at: beside, place }) ? null : operation, words };
}

/** The path of a section, as operations take it: `## Storage ### Orders`. */
export function pathOf(headings: readonly Heading[], at: number): string {
  const chain: Heading[] = [];
  for (let index = at; index >= 0; index = parentOf(headings, index))
    chain.unshift(headings[index] as Heading);
  return chain.map(({ level, title }) => `${'#'.repeat(level)} ${title}`).join(' ');
}

export const isRefused = (made: object): made is RefusedMove => 'refusal' in made;

const named = (heading: Heading | undefined): string => `“${heading?.title || 'Without a title'}”`;

/** Whether another section has the same path, which then means neither. */
function isNotAlone(headings: readonly Heading[], at: number): boolean {
  const path = pathOf(headings, at);
  const title = headings[at]?.title;
  return headings.some(
    (heading, index) => index !== at && heading.title === title && pathOf(headings, index) === path,
  );
}

/** Whether a section stands at that place, on that level, already. */
function isThere(headings: readonly Heading[], at: number, { at: beside, place }: Drop): boolean {
  const [moved, other] = [headings[at] as Heading, headings[beside] as Heading];
  if (place === 'before') return endOf(headings, at) === beside && moved.level === other.level;
  const level = place === 'into' ? other.level + 1 : other.level;
  const isLast = endOf(headings, beside) === (place === 'into' ? endOf(headings, at) : at);
  return isLast && moved.level === level;
}
