/** The rendered document. Not here: what surrounds it, and where its text comes from. */
import { type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import { lineStarts } from '../../model/text/lineStarts';
import { placeOfAddress } from '../../model/text/outline';
import { RenderedDocument } from '../../model/text/renderedDocument';
import { tasksOf } from '../../model/text/tasks';
import { headingFor, leadsToTop, reveal } from '../prose/headings';
import { colours, maths } from '../prose/laterParts';
import { anchorHeadings, flash, type LinkMarks, makeTasks, markLinks, reachWide } from '../prose/proseMarks';
import { DrawnBlocks } from './drawnBlocks';

/** The imperative interface of the preview. */
export interface ProseHandle {
  /** The source line at the upper edge, from 0, with the fraction that is scrolled out. */
  topLine(): number;
  scrollToLine(line: number): void;
  /** Scrolls no further than it takes to see where a line is. */
  reveal(line: number): void;
  /** Brings the rendering of a source range into view and highlights it. */
  goTo(from: number): void;
  /** Brings the n-th link to one of these nodes into view. */
  goToMention(ids: ReadonlySet<string>, index: number, from: number): void;
  scroller: HTMLElement;
}

interface Props extends LinkMarks {
  ref: Ref<ProseHandle>;
  text: string;
  isWritable: boolean;
  isDark: boolean;
  /** Whether to highlight new blocks; not one's own. */
  isNewPointedOut: () => boolean;
  onOpenNode: (id: string) => void;
  /** The sign beside a heading was clicked. */
  onCopyLink: (anchor: string, title: string) => void;
  /** A task was clicked. Returns whether the text was changed. */
  onTick: (index: number) => boolean;
}

export function Prose(props: Props) {
  const { text, nodes, selected, isWritable, isDark, ref } = props;
  const body = useRef<HTMLElement>(null);
  const newest = useRef(props);
  newest.current = props;
  const part = useRef<ProsePart>({ text: '', lines: [], at: 0, of: 1, next: null });
  const [rendered] = useState(() => new RenderedDocument());
  const drawn = useRef<DrawnBlocks>(null);
  const [place, setPlace] = useState<ProsePlace>({ at: 0, of: 1 });
  // Draws the part with that line; documents of usual length are one part.
  const draw = useRef((line: number, isSameText: boolean) => {
    const { text: now, isNewPointedOut } = newest.current;
    if (!body.current) return;
    drawn.current ??= new DrawnBlocks(body.current);
    const { blocks, lines, at, of, next } = rendered.partAt(now, line);
    const isSamePart = at === part.current.at;
    const isFirst = part.current.lines.length === 0;
    const added = replaceBlocks(body.current, drawn.current, blocks);
    if (isSamePart && !isSameText && !isFirst && isNewPointedOut()) for (const block of added) flash(block);
    if (!isSamePart) body.current.parentElement?.scrollTo({ top: 0, behavior: 'instant' });
    part.current = { text: now, lines, at, of, next };
    setPlace((before) => (before.at === at && before.of === of ? before : { at, of }));
    mark(body.current, added, newest.current);
  });
  const show = useRef((line: number) => {
    const { lines, at, next } = part.current;
    const isBefore = at > 0 && line < (lines[0] ?? 0);
    if (isBefore || (next !== null && line >= next)) draw.current(line, true);
  });
  useLayoutEffect(() => {
    if (text !== part.current.text) draw.current(part.current.lines[0] ?? 0, false);
  }, [text]);
  // New text brings its own marks.
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are read from the newest
  useLayoutEffect(() => {
    if (body.current) mark(body.current, [...body.current.children], newest.current);
  }, [nodes, selected, isWritable, isDark]);
  useEffect(() => (body.current ? listen(body.current, newest, part, show.current) : undefined), []);
  useEffect(() => (body.current ? reachWide(body.current) : undefined), []);
  useImperativeHandle(ref, () => handleOf(body, part, show.current), []);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also where it holds no link to stop at
    <section className="read-half" tabIndex={0} aria-label="Document as it reads">
      <article ref={body} className="prose" />
      {place.of > 1 && (
        <ProseParts
          place={place}
          onPrevious={() => show.current((part.current.lines[0] ?? 0) - 1)}
          onNext={() => show.current(part.current.next ?? 0)}
        />
      )}
    </section>
  );
}

/** Which part of a very long document is drawn. */
interface ProsePlace {
  /** From 0. */
  at: number;
  of: number;
}

interface ProsePartsProps {
  place: ProsePlace;
  onPrevious: () => void;
  onNext: () => void;
}

/** Says which part of a very long document is drawn, with buttons for the others. */
function ProseParts({ place: { at, of }, onPrevious, onNext }: ProsePartsProps) {
  return (
    <nav className="prose-parts" aria-label="Parts of the document">
      <p role="status">
        The document is too long to draw at once: part {at + 1} of {of}.
      </p>
      <button type="button" className="button" disabled={at === 0} onClick={onPrevious}>
        Previous part
      </button>
      <button type="button" className="button" disabled={at + 1 === of} onClick={onNext}>
        Next part
      </button>
    </nav>
  );
}

/** What is drawn: a part of a text, with the line of each of its elements. */
interface ProsePart {
  text: string;
  lines: number[];
  at: number;
  of: number;
  next: number | null;
}

function mark(prose: HTMLElement, blocks: readonly Element[], props: Props): void {
  const { nodes, selected, isWritable, isDark } = props;
  for (const block of blocks) {
    markLinks(block, { nodes, selected });
    makeTasks(block, isWritable);
  }
  const hasAny = (selector: string) =>
    blocks.some((block) => block.matches(selector) || block.querySelector(selector));
  if (hasAny('code[class*="language-"]'))
    void colours.load().then(
      ({ colourBlocks }) => colourBlocks(prose),
      () => undefined, // Without a connection code stays plain.
    );
  if (hasAny('.maths'))
    void maths.load().then(
      ({ drawMaths }) => drawMaths(prose),
      () => undefined, // Without a connection the source stays.
    );
  if (hasAny('.mermaid-block'))
    void import('./mermaidBlocks').then(
      ({ drawBlocks }) => drawBlocks(prose, isDark),
      () => undefined, // Without a connection the source stays.
    );
}

/** Draws blocks, and leaves the focus on the task that has it. Returns the new elements. */
function replaceBlocks(prose: HTMLElement, drawn: DrawnBlocks, blocks: readonly string[]): Element[] {
  const focused = document.activeElement;
  const isTicking = focused?.classList.contains('task-box') && prose.contains(focused);
  const ticks = () => [...prose.querySelectorAll<HTMLElement>('.task-box')];
  const ticked = isTicking ? ticks().indexOf(focused as HTMLElement) : -1;
  const added = drawn.draw(blocks);
  anchorHeadings(added);
  if (ticked < 0 || prose.contains(document.activeElement)) return added;
  // The list with the focused task was replaced: focus the same task again.
  makeTasks(prose, true);
  ticks()[ticked]?.focus({ preventScroll: true });
  return added;
}

function listen(
  prose: HTMLElement,
  newest: { current: Props },
  part: { current: ProsePart },
  show: (line: number) => void,
): () => void {
  const ends = new AbortController();
  const clicked = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = (event.target as Element).closest<HTMLElement>('a[href^="#"]');
    if (!link) return;
    event.preventDefault();
    if (link.dataset.node) newest.current.onOpenNode(link.dataset.node);
    if (link.classList.contains('heading-anchor')) newest.current.onCopyLink(...headingOf(link));
    if (!link.dataset.node) goToHeading(prose, link.getAttribute('href') ?? '', part.current, show);
  };
  const ticked = ({ target }: Event) => {
    if (!(target instanceof HTMLInputElement) || !target.classList.contains('task-box')) return;
    const all = [...prose.querySelectorAll('.task-box')];
    const index = tasksBefore(part.current) + all.indexOf(target);
    if (!newest.current.onTick(index)) target.checked = target.defaultChecked;
  };
  prose.addEventListener('click', clicked, { signal: ends.signal });
  prose.addEventListener('change', ticked, { signal: ends.signal });
  return () => ends.abort();
}

/** The address and the title of the heading that a sign stands beside. */
function headingOf(sign: HTMLElement): [anchor: string, title: string] {
  const heading = sign.parentElement;
  const title = heading?.textContent?.slice(0, -(sign.textContent?.length ?? 0)) ?? '';
  return [heading?.dataset.anchor ?? '', title.trim()];
}

/** Goes to the heading that an address names, also in another part. */
function goToHeading(prose: HTMLElement, href: string, part: ProsePart, show: (line: number) => void): void {
  if (part.of > 1 && !headingFor(prose, href)) {
    const place = placeOfAddress(part.text, href);
    if (place) show(place.line);
  }
  const heading = headingFor(prose, href);
  if (heading) reveal(heading);
  if (heading) heading.scrollIntoView({ block: 'start' });
  else if (leadsToTop(href)) prose.parentElement?.scrollTo({ top: 0 });
  // As browsers do, so that the address can be copied; without an entry for each step.
  if (heading) window.history.replaceState(window.history.state, '', href);
}

/** How many tasks are in earlier parts. */
function tasksBefore({ text, lines, at }: ProsePart): number {
  if (at === 0) return 0;
  const from = lineStarts(text)[lines[0] ?? 0] ?? 0;
  return tasksOf(text).filter((task) => task.at < from).length;
}

function handleOf(
  body: { current: HTMLElement | null },
  blocks: { current: ProsePart },
  show: (line: number) => void,
): ProseHandle {
  const prose = () => body.current as HTMLElement;
  const scroller = () => prose().parentElement as HTMLElement;
  const tops = (): Ascending => ({
    length: prose().children.length,
    at: (index) => (prose().children[index] as HTMLElement | undefined)?.offsetTop,
  });
  const blockAt = (line: number): Element | undefined =>
    prose().children[Math.max(0, lastUpTo(blocks.current.lines, line))];
  return {
    get scroller() {
      return scroller();
    },
    topLine: () => between(tops(), blocks.current.lines, scroller().scrollTop),
    scrollToLine(line) {
      show(Math.floor(line));
      const top = line <= 0 ? 0 : between(blocks.current.lines, tops(), line);
      scroller().scrollTo({ top, behavior: 'instant' });
    },
    reveal(line) {
      show(line);
      blockAt(line)?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    },
    goTo(from) {
      const line = lineStarts(blocks.current.text).findLastIndex((start) => start <= from);
      show(line);
      const block = blockAt(line);
      block?.scrollIntoView({ block: 'start', behavior: 'instant' });
      if (block) flash(block);
    },
    goToMention(ids, index, from) {
      // Counted in the whole text; in one part of it the block has to do.
      if (blocks.current.of > 1) return this.goTo(from);
      const links = [...prose().querySelectorAll<HTMLElement>('a.node-link')].filter(({ dataset }) =>
        ids.has(dataset.node ?? ''),
      );
      const link = links[index % Math.max(1, links.length)];
      link?.scrollIntoView({ block: 'center', behavior: 'instant' });
      if (link) flash(link.closest('.prose > *') ?? link);
    },
  };
}

/** Numbers in ascending order; `at` may cost something. */
interface Ascending {
  length: number;
  at(index: number): number | undefined;
}

/** Interpolates: the value among `values` for the position of `at` among `places`. */
function between(places: Ascending, values: Ascending, at: number): number {
  const index = lastUpTo(places, at);
  if (index < 0) return 0;
  const [place = 0, value = 0] = [places.at(index), values.at(index)];
  const [nextPlace, nextValue] = [places.at(index + 1), values.at(index + 1)];
  if (nextPlace === undefined || nextValue === undefined || nextPlace <= place) return value;
  return value + ((at - place) / (nextPlace - place)) * (nextValue - value);
}

/** The last of them that is not past a value; -1 where none is. */
function lastUpTo(places: Ascending, at: number): number {
  let [from, to] = [0, places.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((places.at(middle) ?? 0) <= at) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}
