/**
 * Addresses of headings, as GitHub makes them: `#rollout-plan`, and `#notes-1` for the second "Notes". By the rule of the
 * server's `model/markdown/anchors.py`; tests/fixtures/headings.json holds the two to be equal. Pure.
 */
import { headingText } from './headingText';

/** What may make the text of a title another than its characters. */
const MARKS = /[\\[<&]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|` /u;
const DROPPED = /[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\- ]/gu;

const known = new Map<string, string>();
const MAX_KNOWN = 100_000;

/** The address of a heading before equal ones are told apart; may be empty. `title`: as it is written, on one line. */
export function baseAnchor(title: string, labels: object = {}): string {
  const isKept = !title.includes('][');
  const found = isKept ? known.get(title) : undefined;
  if (found !== undefined) return found;
  const text = MARKS.test(title) ? headingText(title, labels) : title;
  const anchor = text.toLowerCase().replace(DROPPED, '').replaceAll(' ', '-');
  if (known.size >= MAX_KNOWN) known.clear();
  if (isKept) known.set(title, anchor);
  return anchor;
}

/** Tells equal addresses apart, in the order of the document. */
export function numbered(anchors: readonly string[]): string[] {
  const lastNumbers = new Map<string, number>();
  return anchors.map((base) => {
    let [name, number] = [base, lastNumbers.get(base) ?? 0];
    while (lastNumbers.has(name)) {
      number += 1;
      name = `${base}-${number}`;
    }
    lastNumbers.set(base, number);
    if (!lastNumbers.has(name)) lastNumbers.set(name, 0);
    return name;
  });
}

/** The address that a link such as `#f%C3%BC` means: decoded, in lower case; null if it is none. */
export function anchorIn(href: string): string | null {
  if (!href.startsWith('#')) return null;
  try {
    return decodeURIComponent(href.slice(1)).toLowerCase();
  } catch {
    return href.slice(1).toLowerCase();
  }
}
