/** The handle at the edge of an image in the read half: its width, by pointer or keyboard. Not here: writing it down. */
import { MIN_WIDTH } from '../../model/text/images';

const STEP = 10;
const WIDE_STEP = 50;

/** Writes down a width in place of the one that is written, null for none. Returns whether that could be done. */
export type Commit = (width: number | null, written: number | null) => boolean;

/**
 * A handle for an image; its width is shown at once, and written down at the end: when the pointer is released, at Enter, or
 * when the handle loses the focus. Escape takes it back; Delete gives the image its own width again.
 */
export function widthHandle(image: HTMLImageElement, commit: Commit): HTMLElement {
  const handle = document.createElement('span');
  handle.className = 'image-handle';
  handle.tabIndex = 0;
  handle.setAttribute('role', 'slider');
  handle.setAttribute('aria-label', `Width of ${image.alt || 'the image'}`);
  handle.setAttribute('aria-orientation', 'horizontal');
  handle.title = 'Drag to change the width; double-click for its own';
  let written = image.getAttribute('width');
  const most = () => Math.max(MIN_WIDTH, Math.floor(image.closest('.prose')?.clientWidth ?? MIN_WIDTH));
  const now = () => Math.round(image.getBoundingClientRect().width);
  const say = () => {
    handle.setAttribute('aria-valuemin', String(MIN_WIDTH));
    handle.setAttribute('aria-valuemax', String(Math.max(most(), now())));
    handle.setAttribute('aria-valuenow', String(Math.max(MIN_WIDTH, now())));
    handle.setAttribute('aria-valuetext', `${now()} pixels`);
  };
  const isChanged = () => image.getAttribute('width') !== written;
  const show = (width: number) => {
    image.width = Math.round(Math.min(Math.max(width, MIN_WIDTH), most()));
    say();
  };
  const takeBack = () => {
    if (written === null) image.removeAttribute('width');
    else image.setAttribute('width', written);
    say();
  };
  const write = (width: number | null) => {
    const before = written;
    written = width === null ? null : String(width);
    // Drawn anew a moment later; until then the handle goes on from here.
    if (!commit(width, before === null ? null : Number(before))) written = before;
    takeBack();
  };
  const end = () => {
    if (isChanged()) write(image.width);
  };
  image.addEventListener('load', say);
  say();
  handle.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    handle.focus();
    const [from, width] = [event.clientX, now()];
    const ends = new AbortController();
    handle.setPointerCapture(event.pointerId);
    handle.addEventListener('pointermove', ({ clientX }) => show(width + clientX - from), {
      signal: ends.signal,
    });
    const finish = (event: Event) => {
      ends.abort();
      if (event.type === 'pointerup') end();
      else takeBack();
    };
    for (const type of ['pointerup', 'pointercancel'])
      handle.addEventListener(type, finish, { signal: ends.signal });
  });
  handle.addEventListener('dblclick', () => write(null));
  handle.addEventListener('focus', say);
  handle.addEventListener('blur', end);
  handle.addEventListener('keydown', (event) => {
    const step = event.shiftKey ? WIDE_STEP : STEP;
    if (event.key === 'ArrowLeft' || event.key === 'ArrowDown') show(now() - step);
    else if (event.key === 'ArrowRight' || event.key === 'ArrowUp') show(now() + step);
    else if (event.key === 'Home') show(MIN_WIDTH);
    else if (event.key === 'End') show(most());
    else if (event.key === 'Enter') end();
    else if (event.key === 'Escape' && isChanged()) takeBack();
    else if (event.key === 'Delete' || event.key === 'Backspace') write(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return handle;
}
