/** The table of contents of a page on paper: the headings that begin sections, as links. Pure. */
import type { SectionHeading } from '../text/markdown';
import { escaped } from './xml';

/** A document of fewer sections is seen at a glance. */
const LEAST = 3;
/** Levels of headings that are listed, from the highest that is used. */
const LEVELS = 3;

/** As HTML; empty where a list would be of no use. */
export function contentsHtml(headings: readonly SectionHeading[]): string {
  const highest = headings.reduce((level, heading) => Math.min(level, heading.level), 6);
  const listed = headings.filter(
    ({ level, title, anchor }) => level < highest + LEVELS && title !== '' && anchor !== '',
  );
  if (listed.length < LEAST) return '';
  const items = listed.map(
    ({ level, title, anchor }) =>
      `<li class="level-${level - highest + 1}"><a href="#${escaped(anchor)}">${escaped(title)}</a></li>`,
  );
  return `<nav class="contents" aria-label="Contents"><p>Contents</p><ol>${items.join('')}</ol></nav>`;
}
