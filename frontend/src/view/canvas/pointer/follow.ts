/** Follows a pointer from press to release, over the whole window; Escape cancels. Not here: what the gesture does. */
import type { Point } from '../../../protocol/types';

/** The distance in pixels from which a press counts as a drag; a finger never rests as still as a mouse. */
const SLOP = 4;
const FINGER_SLOP = 10;
/** A finger that rests so long opens the menu. */
const HOLD_MS = 500;
const BORDER = 28;
const MAX_PER_FRAME = 14;

export interface Moved {
  /** In pixels of the window. */
  at: Point;
  isAlt: boolean;
  isShift: boolean;
}

interface Reactions {
  /** It has moved, for the first time further than a click. */
  onStart?: (moved: Moved) => void;
  onMove?: (moved: Moved) => void;
  /** It was released after a drag. */
  onEnd?: (moved: Moved) => void;
  /** A finger rested where it was pressed: that is all there will be of this press. */
  onHold?: () => void;
  /** It was released without a drag. */
  onClick?: (moved: Moved) => void;
  /** The drag was cancelled. */
  onCancel?: () => void;
  /** Called repeatedly while the pointer is at the border of the canvas. */
  scroll?: { room: () => DOMRect; by: (delta: Point) => void };
}

export function follow(press: PointerEvent, reactions: Reactions): void {
  let hasMoved = false;
  let last: Moved = movedBy(press);
  let frame = 0;
  const isFinger = press.pointerType === 'touch';
  const hold = setTimeout(() => {
    if (!isFinger || hasMoved || !reactions.onHold) return;
    over();
    // The click that follows would close what is opened.
    window.addEventListener('touchend', (event) => event.preventDefault(), { once: true, passive: false });
    reactions.onHold();
  }, HOLD_MS);
  const over = () => {
    clearTimeout(hold);
    cancelAnimationFrame(frame);
    stop.abort();
  };
  const stop = new AbortController();
  const listen = { signal: stop.signal, capture: true };
  const isOther = (event: PointerEvent) => event.pointerId !== press.pointerId;

  const scroll = () => {
    frame = 0;
    const by = reactions.scroll && overshoot(last.at, reactions.scroll.room());
    if (!by || (by.x === 0 && by.y === 0)) return;
    reactions.scroll?.by(by);
    reactions.onMove?.(last);
    frame = requestAnimationFrame(scroll);
  };
  const move = (moved: Moved) => {
    last = moved;
    if (!hasMoved) {
      if (
        Math.hypot(moved.at.x - press.clientX, moved.at.y - press.clientY) < (isFinger ? FINGER_SLOP : SLOP)
      )
        return;
      hasMoved = true;
      reactions.onStart?.(moved);
    }
    reactions.onMove?.(moved);
    if (reactions.scroll && frame === 0) frame = requestAnimationFrame(scroll);
  };
  const cancel = () => {
    over();
    if (hasMoved) reactions.onCancel?.();
  };
  window.addEventListener('pointermove', (event) => isOther(event) || move(movedBy(event)), listen);
  window.addEventListener(
    'pointerup',
    (event) => {
      if (isOther(event)) return;
      over();
      const moved = movedBy(event);
      if (hasMoved) reactions.onEnd?.(moved);
      else reactions.onClick?.(moved);
    },
    listen,
  );
  window.addEventListener('pointercancel', (event) => isOther(event) || cancel(), listen);
  // A second finger moves and zooms the canvas.
  window.addEventListener('pointerdown', (event) => isOther(event) && cancel(), listen);
  window.addEventListener('blur', cancel, { signal: stop.signal });
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && event.type === 'keydown' && hasMoved) {
      event.preventDefault();
      event.stopImmediatePropagation();
      cancel();
    }
    if (event.key === 'Alt' && hasMoved) {
      // Some systems move the focus to a menu.
      event.preventDefault();
      move({ ...last, isAlt: event.type === 'keydown' });
    }
  };
  window.addEventListener('keydown', onKey, listen);
  window.addEventListener('keyup', onKey, listen);
}

const movedBy = (event: PointerEvent): Moved => ({
  at: { x: event.clientX, y: event.clientY },
  isAlt: event.altKey,
  isShift: event.shiftKey,
});

/** The scroll speed per frame, the faster the nearer the pointer is to the border or beyond. */
function overshoot({ x, y }: Point, room: DOMRect): Point {
  const along = (value: number, low: number, high: number): number => {
    const before = low + BORDER - value;
    const after = value - (high - BORDER);
    const depth = before > 0 ? before : after > 0 ? -after : 0;
    return Math.max(-MAX_PER_FRAME, Math.min(MAX_PER_FRAME, depth / 3));
  };
  return { x: along(x, room.left, room.right), y: along(y, room.top, room.bottom) };
}
