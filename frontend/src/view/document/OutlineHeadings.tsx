/** The content of the outline: the sections as a tree that can be folded and moved, with the one in view marked. */
import '../styles/outline.css';
import { Plus } from 'lucide-react';
import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { depthsOf, type Heading, headingAt, matchingHeadings, outlineOf } from '../../model/text/outline';
import {
  type Drop,
  dropOf,
  endOf,
  isRefused,
  moveOf,
  type RefusedMove,
  type SectionMove,
  type Step,
} from '../../model/text/sectionMoves';
import { counted } from '../../model/words/kinds';
import { useEditorContext } from '../context/EditorContext';
import { useToasts } from '../ui/overlay/Toasts';
import { useThrottledValue } from '../ui/useThrottledValue';
import { copyLink } from './copyLink';
import { OutlineRow } from './outline/OutlineRow';
import { useFolds } from './outline/useFolds';
import { useSectionDrag } from './outline/useSectionDrag';
import { useWordCounts } from './outline/useWordCounts';

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

export function OutlineHeadings({ text: newest, typed, place, onGo, onAdd, leave }: Props) {
  const toasts = useToasts();
  const text = useThrottledValue(newest);
  const [query, setQuery] = useState(typed);
  const filter = useRef<HTMLInputElement>(null);
  // Before the popover would do it: that comes later, and selects what was typed, so that the next key replaces it.
  useLayoutEffect(() => filter.current?.focus({ preventScroll: true }), []);
  const headings = useMemo(() => outlineOf(text), [text]);
  const depths = useMemo(() => depthsOf(headings), [headings]);
  const sums = useWordCounts(text, headings);
  const folds = useFolds();
  const current = headings[headingAt(headings, usePlace(place))];
  const shown = query ? matchingHeadings(headings, query) : unfolded(headings, folds.isFolded);
  const found = around(shown, current ? shown.indexOf(current) : -1);
  const leftOut = shown.length - found.length;
  const canMove = onAdd !== null;
  const { words, list, move, step } = useMoves(headings);
  const isOpen = (at: number) =>
    !query && hasSubsections(headings, at) && !folds.isFolded(headings[at] as Heading);
  const { drag, begin } = useSectionDrag({ canMove: canMove && !query, isOpen, onDrop: move });
  const indices = useMemo(() => new Map(headings.map((heading, at) => [heading, at])), [headings]);
  const dragWords = drag?.drop ? wordsOf(moveOf(headings, drag.from, drag.drop)) : null;
  const isRefusedDrop = drag?.drop ? isRefused(moveOf(headings, drag.from, drag.drop)) : false;
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
      <ul ref={list} className={`outline-list${drag ? ' is-dragging' : ''}`}>
        {found.map((heading) => {
          const at = indices.get(heading) as number;
          return (
            <OutlineRow
              key={heading.anchor || heading.from}
              heading={heading}
              at={at}
              depth={query ? 0 : (depths[at] ?? 0)}
              isCurrent={heading === current}
              isFolded={query || !hasSubsections(headings, at) ? null : folds.isFolded(heading)}
              words={sums && (sums[endOf(headings, at)] ?? 0) - (sums[at] ?? 0)}
              mark={markOf(at, drag, isRefusedDrop)}
              onFold={(isFolded) => folds.fold(heading, isFolded)}
              onGo={() => leave(() => onGo(heading))}
              onGrab={(event) => begin(event, at)}
              onStep={canMove ? (way) => step(at, way) : null}
              onCopy={() => void copyLink(toasts, heading.anchor, heading.title)}
            />
          );
        })}
      </ul>
      {leftOut > 0 && (
        <p className="outline-none">{counted(leftOut, 'more section')}: filter to find them.</p>
      )}
      <p className="outline-words-all">{sums && counted(sums.at(-1) ?? 0, 'word')}</p>
      <p className="outline-said" role="status">
        {dragWords ?? words}
      </p>
      {onAdd && (
        <button type="button" className="outline-add" onClick={() => leave(onAdd)}>
          <Plus size={15} strokeWidth={2} aria-hidden="true" />
          Add section
        </button>
      )}
    </div>
  );
}

/**
 * Moves sections, each as one operation, and says what became of it. The moved one keeps the focus.
 *
 * One move follows the other: where a section stands is known when the one before is done. What is shown may be older.
 */
function useMoves(headings: readonly Heading[]) {
  const { edit, client } = useEditorContext();
  const [words, setWords] = useState('');
  const list = useRef<HTMLUListElement>(null);
  const focused = useRef<string | null>(null);
  const before = useRef<Promise<void>>(Promise.resolve());
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change of the sections
  useLayoutEffect(() => {
    if (focused.current === null || list.current?.contains(document.activeElement)) return;
    const row = list.current?.querySelector<HTMLElement>(
      `[data-anchor="${CSS.escape(focused.current)}"] .outline-item`,
    );
    row?.focus();
  }, [headings]);
  const send = async (anchor: string, made: SectionMove | RefusedMove) => {
    setWords(wordsOf(made));
    if (isRefused(made) || !made.operation) return;
    focused.current = anchor;
    const outcome = await edit([made.operation]);
    const isMade = outcome?.kind === 'committed';
    setWords(isMade ? [made.words, ...warningsOf(outcome.warnings)].join('. ') : '');
  };
  const next = (at: number, how: (now: readonly Heading[], from: number) => Drop | RefusedMove) => {
    const anchor = headings[at]?.anchor ?? '';
    const run = () => {
      const now = outlineOf(client.view.text);
      const from = now.findIndex((heading) => heading.anchor === anchor);
      const drop = how(now, from);
      return send(anchor, isRefused(drop) ? drop : moveOf(now, from, drop));
    };
    before.current = before.current.then(run, run);
  };
  const step = (at: number, way: Step) => next(at, (now, from) => dropOf(now, from, way));
  const move = (at: number, { at: beside, place }: Drop) =>
    next(at, (now) => ({
      at: now.findIndex(({ anchor }) => anchor === headings[beside]?.anchor),
      place,
    }));
  return { words, list, move, step };
}

const warningsOf = (warnings: readonly Record<string, unknown>[]): string[] =>
  warnings.map(({ message }) => message).filter((words) => typeof words === 'string');

const wordsOf = (made: SectionMove | RefusedMove): string => (isRefused(made) ? made.refusal : made.words);

/** The place in the text, also while it is scrolled. */
function usePlace(place: () => number): number {
  const [at, setAt] = useState(place);
  useEffect(() => {
    let frame = 0;
    const look = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => setAt(place()));
    };
    window.addEventListener('scroll', look, { capture: true, passive: true });
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', look, { capture: true });
    };
  }, [place]);
  return at;
}

const hasSubsections = (headings: readonly Heading[], at: number): boolean =>
  (headings[at + 1]?.level ?? 0) > (headings[at]?.level ?? 0);

/** Those that are in no folded section. */
function unfolded(headings: readonly Heading[], isFolded: (heading: Heading) => boolean): Heading[] {
  let below = 7;
  return headings.filter((heading, at) => {
    if (heading.level > below) return false;
    below = hasSubsections(headings, at) && isFolded(heading) ? heading.level : 7;
    return true;
  });
}

type Mark = 'dragged' | 'before' | 'after' | 'into' | null;

function markOf(at: number, drag: { from: number; drop: Drop | null } | null, isRefusedDrop: boolean): Mark {
  if (drag?.from === at) return 'dragged';
  return drag?.drop?.at === at && !isRefusedDrop ? drag.drop.place : null;
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
  if (event.defaultPrevented || event.altKey) return;
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
