/** Dragging a section in the outline by pointer: where it would go is known before it is let go. Not here: the move itself. */
import { type PointerEvent as ReactPointerEvent, useEffect, useRef, useState } from 'react';
import type { Drop } from '../../../model/text/sectionMoves';

/** What is dragged, and where it would be put; both are indices of headings. */
export interface Drag {
  from: number;
  drop: Drop | null;
}

const STARTS_AT_PX = 5;
const EDGE_PX = 28;
const SCROLL_PX = 10;

interface Options {
  canMove: boolean;
  /** Whether the row of a heading has rows of its subsections below it. */
  isOpen: (at: number) => boolean;
  onDrop: (from: number, drop: Drop) => void;
}

export function useSectionDrag(options: Options): {
  drag: Drag | null;
  begin: (event: ReactPointerEvent<HTMLElement>, from: number) => void;
} {
  const [drag, setDrag] = useState<Drag | null>(null);
  const newest = useRef(options);
  newest.current = options;
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => () => stop.current?.(), []);
  const begin = (event: ReactPointerEvent<HTMLElement>, from: number) => {
    // By touch the list is scrolled.
    if (!options.canMove || event.button !== 0 || event.pointerType === 'touch') return;
    const list = event.currentTarget.closest<HTMLElement>('.outline-list');
    if (!list) return;
    stop.current?.();
    stop.current = follow(list, { x: event.clientX, y: event.clientY }, from, {
      isOpen: (at) => newest.current.isOpen(at),
      onDrag: setDrag,
      onDrop: (drop) => newest.current.onDrop(from, drop),
    });
  };
  return { drag, begin };
}

interface Following {
  isOpen: (at: number) => boolean;
  onDrag: (drag: Drag | null) => void;
  onDrop: (drop: Drop) => void;
}

function follow(
  list: HTMLElement,
  start: { x: number; y: number },
  from: number,
  { isOpen, onDrag, onDrop }: Following,
): () => void {
  const ends = new AbortController();
  const { signal } = ends;
  let drop: Drop | null = null;
  let isDragging = false;
  const finish = () => {
    ends.abort();
    if (isDragging) onDrag(null);
  };
  const move = (event: PointerEvent) => {
    isDragging ||= Math.hypot(event.clientX - start.x, event.clientY - start.y) >= STARTS_AT_PX;
    if (!isDragging) return;
    event.preventDefault();
    scrollAt(list, event.clientY);
    drop = dropAt(list, event.clientY, isOpen);
    onDrag({ from, drop });
  };
  const up = () => {
    if (isDragging) {
      // What was dragged is not clicked as well.
      window.addEventListener('click', swallow, { capture: true, once: true });
      setTimeout(() => window.removeEventListener('click', swallow, { capture: true }));
    }
    finish();
    if (isDragging && drop) onDrop(drop);
  };
  const key = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isDragging) return;
    event.preventDefault();
    event.stopPropagation();
    finish();
  };
  window.addEventListener('pointermove', move, { signal });
  window.addEventListener('pointerup', up, { signal });
  window.addEventListener('pointercancel', finish, { signal });
  window.addEventListener('keydown', key, { signal, capture: true });
  return finish;
}

function swallow(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}

/** The place at a height: the upper part of a row is before it, its middle into it, its lower part after it. */
function dropAt(list: HTMLElement, y: number, isOpen: (at: number) => boolean): Drop | null {
  const rows = [...list.querySelectorAll<HTMLElement>('[data-at]')];
  const row = rows.find((one) => y < one.getBoundingClientRect().bottom) ?? rows.at(-1);
  if (!row) return null;
  const { top, height } = row.getBoundingClientRect();
  const share = (y - top) / Math.max(1, height);
  const at = Number(row.dataset.at);
  if (share < 0.3) return { at, place: 'before' };
  if (share <= 0.7) return { at, place: 'into' };
  const next = rows[rows.indexOf(row) + 1];
  // Below an open section its first subsection comes next.
  return isOpen(at) && next ? { at: Number(next.dataset.at), place: 'before' } : { at, place: 'after' };
}

function scrollAt(list: HTMLElement, y: number): void {
  const scroller = list.closest('.popover');
  if (!scroller) return;
  const { top, bottom } = scroller.getBoundingClientRect();
  if (y < top + EDGE_PX) scroller.scrollBy(0, -SCROLL_PX);
  else if (y > bottom - EDGE_PX) scroller.scrollBy(0, SCROLL_PX);
}
