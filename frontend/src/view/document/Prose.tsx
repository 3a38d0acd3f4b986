/** The rendered document. Not here: what surrounds it, and where its text comes from. */
import { type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import { blocksOf, markdownToHtml } from '../../model/text/markdown';
import { lineStarts } from '../../model/text/outline';
import { headingFor } from '../prose/headings';
import { anchorHeadings, flash, type LinkMarks, makeTasks, markLinks, reachWide } from '../prose/proseMarks';
import { sanitised } from '../prose/sanitise';
import { drawBlocks } from './mermaidBlocks';
import { patchChildren } from './patch';

/** The imperative interface of the preview. */
export interface ProseHandle {
  /** The source line at the upper edge, from 0, with the fraction that is scrolled out. */
  topLine(): number;
  scrollToLine(line: number): void;
  /** Brings the rendering of a source range into view and highlights it. */
  goTo(from: number): void;
  /** Brings the n-th link to one of these nodes into view. */
  goToMention(ids: ReadonlySet<string>, index: number): void;
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
  /** A task was clicked. Returns whether the text was changed. */
  onTick: (index: number) => boolean;
}

export function Prose(props: Props) {
  const { text, nodes, selected, isWritable, isDark, ref } = props;
  const body = useRef<HTMLElement>(null);
  const newest = useRef(props);
  newest.current = props;
  const blocks = useRef<{ text: string; lines: number[] }>({ text: '', lines: [] });
  useLayoutEffect(() => {
    if (body.current) bringIn(body.current, text, newest.current.isNewPointedOut());
    blocks.current = { text, lines: blocksOf(text).map(({ line }) => line) };
  }, [text]);
  // The text is among the reasons because new text brings new blocks.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useLayoutEffect(() => {
    if (!body.current) return;
    markLinks(body.current, { nodes, selected });
    makeTasks(body.current, isWritable);
    drawBlocks(body.current, isDark);
  }, [text, nodes, selected, isWritable, isDark]);
  useEffect(() => (body.current ? listen(body.current, newest) : undefined), []);
  useEffect(() => (body.current ? reachWide(body.current) : undefined), []);
  useImperativeHandle(ref, () => handleOf(body, blocks), []);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also where it holds no link to stop at
    <section className="read-half" tabIndex={0} aria-label="Document as it reads">
      <article ref={body} className="prose" />
    </section>
  );
}

function bringIn(prose: HTMLElement, text: string, isNewPointedOut: boolean): void {
  const isFirst = prose.childNodes.length === 0;
  const ticks = () => [...prose.querySelectorAll<HTMLElement>('.task-box')];
  const ticked = ticks().indexOf(document.activeElement as HTMLElement);
  const added = patchChildren(prose, sanitised(markdownToHtml(text)));
  anchorHeadings(added);
  if (!isFirst && isNewPointedOut) for (const block of added) flash(block);
  if (ticked < 0 || prose.contains(document.activeElement)) return;
  // The list with the focused task was replaced: focus the same task again.
  makeTasks(prose, true);
  ticks()[ticked]?.focus({ preventScroll: true });
}

function listen(prose: HTMLElement, newest: { current: Props }): () => void {
  const ends = new AbortController();
  const clicked = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = (event.target as Element).closest<HTMLElement>('a[href^="#"]');
    if (!link) return;
    event.preventDefault();
    if (link.dataset.node) newest.current.onOpenNode(link.dataset.node);
    else headingFor(prose, link.getAttribute('href') ?? '')?.scrollIntoView({ block: 'start' });
  };
  const ticked = ({ target }: Event) => {
    if (!(target instanceof HTMLInputElement) || !target.classList.contains('task-box')) return;
    const all = [...prose.querySelectorAll('.task-box')];
    if (!newest.current.onTick(all.indexOf(target))) target.checked = target.defaultChecked;
  };
  prose.addEventListener('click', clicked, { signal: ends.signal });
  prose.addEventListener('change', ticked, { signal: ends.signal });
  return () => ends.abort();
}

function handleOf(
  body: { current: HTMLElement | null },
  blocks: { current: { text: string; lines: number[] } },
): ProseHandle {
  const prose = () => body.current as HTMLElement;
  const scroller = () => prose().parentElement as HTMLElement;
  const tops = () => [...prose().children].map((block) => (block as HTMLElement).offsetTop);
  return {
    get scroller() {
      return scroller();
    },
    topLine: () => between(tops(), blocks.current.lines, scroller().scrollTop),
    scrollToLine(line) {
      const top = line <= 0 ? 0 : between(blocks.current.lines, tops(), line);
      scroller().scrollTo({ top, behavior: 'instant' });
    },
    goTo(from) {
      const { text, lines } = blocks.current;
      const line = lineStarts(text).findLastIndex((start) => start <= from);
      const block =
        prose().children[
          Math.max(
            0,
            lines.findLastIndex((start) => start <= line),
          )
        ];
      block?.scrollIntoView({ block: 'start', behavior: 'instant' });
      if (block) flash(block);
    },
    goToMention(ids, index) {
      const links = [...prose().querySelectorAll<HTMLElement>('a.node-link')].filter(({ dataset }) =>
        ids.has(dataset.node ?? ''),
      );
      const link = links[index % Math.max(1, links.length)];
      link?.scrollIntoView({ block: 'center', behavior: 'instant' });
      if (link) flash(link.closest('.prose > *') ?? link);
    },
  };
}

/** Interpolates: the value among `values` for the position of `at` among `places`; both ascend. */
function between(places: readonly number[], values: readonly number[], at: number): number {
  const index = places.findLastIndex((place) => place <= at);
  if (index < 0) return 0;
  const [place = 0, value = 0] = [places[index], values[index]];
  const [nextPlace, nextValue] = [places[index + 1], values[index + 1]];
  if (nextPlace === undefined || nextValue === undefined || nextPlace <= place) return value;
  return value + ((at - place) / (nextPlace - place)) * (nextValue - value);
}
