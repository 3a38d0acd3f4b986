/** The content of the outline: the headings of the document as a tree, with the current one marked. */
import { Plus } from 'lucide-react';
import { type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { depthsOf, type Heading, headingAt, matchingHeadings, outlineOf } from '../../model/text/outline';
import { counted } from '../../model/words/kinds';

interface Props {
  text: string;
  /** What was typed for its filter before it was loaded. */
  typed: string;
  /** The current position in the text. */
  place: () => number;
  onGo: (heading: Heading) => void;
  /** Null where the document is read-only. */
  onAdd: (() => void) | null;
  /** Closes the outline, and then goes. */
  leave: (go: () => void) => void;
}

export function OutlineHeadings({ text, typed, place, onGo, onAdd, leave }: Props) {
  const [query, setQuery] = useState(typed);
  const filter = useRef<HTMLInputElement>(null);
  // Before the popover would do it: that comes later, and selects what was typed, so that the next key replaces it.
  useLayoutEffect(() => filter.current?.focus({ preventScroll: true }), []);
  const headings = useMemo(() => outlineOf(text), [text]);
  const depths = useMemo(() => new Map(depthsOf(headings).map((d, i) => [headings[i], d])), [headings]);
  const [at] = useState(place);
  const current = headings[headingAt(headings, at)];
  const matching = matchingHeadings(headings, query);
  const found = around(matching, current ? matching.indexOf(current) : -1);
  const leftOut = matching.length - found.length;
  return (
    <div role="group" aria-label="Sections" onKeyDown={walk}>
      {headings.length > 0 && (
        <input
          ref={filter}
          type="search"
          className="outline-filter"
          aria-label="Filter sections"
          placeholder="Filter sections"
          autoComplete="off"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      )}
      {found.length === 0 && (
        <p className="outline-none">{query ? 'No section is called that.' : 'No sections yet.'}</p>
      )}
      <ul className="outline-list">
        {found.map((heading) => (
          <li key={heading.from}>
            <button
              type="button"
              className={`outline-item level-${Math.min(heading.level, 3)}`}
              style={{ paddingLeft: 10 + (query ? 0 : (depths.get(heading) ?? 0) * 14) }}
              aria-current={heading === current ? 'location' : undefined}
              onClick={() => leave(() => onGo(heading))}
            >
              {heading.title || 'Without a title'}
            </button>
          </li>
        ))}
      </ul>
      {leftOut > 0 && (
        <p className="outline-none">{counted(leftOut, 'more section')}: filter to find them.</p>
      )}
      {onAdd && (
        <button type="button" className="outline-add" onClick={() => leave(onAdd)}>
          <Plus size={15} strokeWidth={2} aria-hidden="true" />
          Add section
        </button>
      )}
    </div>
  );
}

/** As many sections are listed. */
const MAX_LISTED = 400;

/** Those around the current one, where there are too many to list. */
function around(headings: readonly Heading[], at: number): readonly Heading[] {
  const last = Math.max(0, headings.length - MAX_LISTED);
  const from = Math.min(last, Math.max(0, at - MAX_LISTED / 2));
  return headings.slice(from, from + MAX_LISTED);
}

/** Arrow keys move from the filter through the list; Enter in the filter goes to the first section found. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, .outline-item, .outline-add')];
  const here = stops.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowDown: here + 1, ArrowUp: here - 1 }[event.key];
  if (to !== undefined) {
    event.preventDefault();
    stops[Math.min(stops.length - 1, Math.max(0, to))]?.focus();
  } else if (event.key === 'Enter' && document.activeElement instanceof HTMLInputElement) {
    event.preventDefault();
    event.currentTarget.querySelector<HTMLElement>('.outline-item')?.click();
  }
}
