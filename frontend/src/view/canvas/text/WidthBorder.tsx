/** The border between text and canvas, which is moved by pointer or arrows; its place is kept in this browser. */
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { remember, stored } from '../../../sync/preferences';

const KEY = 'draftsmith.text-width';
const LEAST = 220;
const MOST = 720;
const USUAL = 340;
const STEP = 24;

export interface Width {
  value: number;
  set: (width: number) => void;
}

export function useWidth(): Width {
  const [value, setValue] = useState(() => within(Number(stored(KEY)) || USUAL));
  const set = (width: number) => {
    setValue(within(width));
    remember(KEY, String(within(width)));
  };
  return { value, set };
}

const within = (width: number): number => Math.round(Math.min(MOST, Math.max(LEAST, width)));

export function WidthBorder({ width }: { width: Width }) {
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    const border: HTMLElement = event.currentTarget;
    const from = event.clientX - width.value;
    border.setPointerCapture(event.pointerId);
    const ends = new AbortController();
    const { signal } = ends;
    border.addEventListener('pointermove', (moved) => width.set(moved.clientX - from), { signal });
    for (const end of ['pointerup', 'pointercancel'])
      border.addEventListener(end, () => ends.abort(), { signal });
  };
  const press = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    width.set(width.value + by);
  };
  return (
    <div
      className="text-border"
      role="separator"
      tabIndex={0}
      aria-label="Width of the text"
      aria-orientation="vertical"
      aria-valuenow={width.value}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      onPointerDown={drag}
      onKeyDown={press}
    />
  );
}
