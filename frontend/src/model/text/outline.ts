/** The headings of a document and their positions. Pure. */
import { anchorIn } from './anchors';
import { lineStarts } from './lineStarts';
import { headingsOf, lineOfAnchor } from './markdown';

export interface Heading {
  level: number;
  /** The text without marks. */
  title: string;
  /** The address, `#anchor` in links; empty where the title has no letter. */
  anchor: string;
  /** Units from the start of the text to the start of the heading's line. */
  from: number;
  /** End of that line. */
  to: number;
  /** From 0. */
  line: number;
}

/** All headings, in the order of the text. */
export function outlineOf(text: string): Heading[] {
  const starts = lineStarts(text);
  return headingsOf(text).map((heading) => {
    const from = starts[heading.line] ?? text.length;
    const end = text.indexOf('\n', from);
    return { ...heading, from, to: end < 0 ? text.length : end };
  });
}

/** The line of the heading, of any depth, that an address like `#rollout-plan` leads to; null where none does. */
export function placeOfAddress(
  text: string,
  href: string,
): { line: number; from: number; to: number } | null {
  const anchor = anchorIn(href);
  const line = anchor ? lineOfAnchor(text, anchor) : null;
  if (line === null) return null;
  const from = lineStarts(text)[line] ?? text.length;
  const end = text.indexOf('\n', from);
  return { line, from, to: end < 0 ? text.length : end };
}

/** The heading of a position: the last one at or before it; -1 before the first. */
export function headingAt(headings: readonly Heading[], at: number): number {
  return headings.findLastIndex(({ from }) => from <= at);
}

/** The indentation of each heading, without gaps where levels are skipped. */
export function depthsOf(headings: readonly Heading[]): number[] {
  const open: number[] = [];
  return headings.map(({ level }) => {
    while (open.length && (open.at(-1) as number) >= level) open.pop();
    open.push(level);
    return open.length - 1;
  });
}

/** Those whose title contains every word of a query. */
export function matchingHeadings(headings: readonly Heading[], query: string): Heading[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return headings.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
}
