/**
 * The tooltip of the page: shown for any element with `data-tip` on hover or keyboard focus.
 *
 * It is in the browser's top layer, so that panes and dialogs do not cover it. Escape hides it, and it stays while the
 * pointer is on it. Its text is the accessible name of the element or beside it, so it is hidden from screen readers.
 */
import { useEffect, useRef } from 'react';
import { placeBeside } from './placeBeside';

const FIRST_AFTER_MS = 450;
/** After one was shown, the next is shown at once. */
const WARM_MS = 600;
const LINGER_MS = 120;

export function Tips() {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => (ref.current ? follow(ref.current) : undefined), []);
  return <div ref={ref} className="tip" popover="manual" aria-hidden="true" />;
}

function follow(tip: HTMLElement): () => void {
  let owner: Element | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hiddenAt = 0;
  const hide = () => {
    clearTimeout(timer);
    if (tip.matches(':popover-open')) {
      tip.hidePopover();
      hiddenAt = performance.now();
    }
    owner = null;
  };
  const show = (next: Element) => {
    if (!next.isConnected || !fill(tip, next)) return hide();
    tip.showPopover();
    const size = { width: tip.offsetWidth, height: tip.offsetHeight };
    const side = next.classList.contains('tip-up') ? 'above' : 'below';
    const room = { width: window.innerWidth, height: window.innerHeight };
    const { x, y } = placeBeside(next.getBoundingClientRect(), size, room, side);
    tip.style.translate = `${x}px ${y}px`;
  };
  const turnTo = (next: Element, isAtOnce: boolean) => {
    if (next === owner) return clearTimeout(timer);
    hide();
    owner = next;
    const isWarm = isAtOnce || performance.now() - hiddenAt < WARM_MS;
    timer = setTimeout(() => show(next), isWarm ? 0 : FIRST_AFTER_MS);
  };
  const over = ({ target, pointerType }: PointerEvent) => {
    if (pointerType === 'touch' || !(target instanceof Element)) return;
    if (tip.contains(target)) return clearTimeout(timer);
    const next = target.closest('[data-tip]');
    if (next) turnTo(next, false);
    else if (owner) {
      clearTimeout(timer);
      timer = setTimeout(hide, LINGER_MS);
    }
  };
  const focused = ({ target }: FocusEvent) => {
    const next = target instanceof Element ? target.closest('[data-tip]') : null;
    if (next?.matches(':focus-visible')) turnTo(next, true);
  };
  const pressed = ({ key }: KeyboardEvent) => {
    if (key === 'Escape' || key === 'Enter' || key === ' ') hide();
  };
  const ends = new AbortController();
  const how = { signal: ends.signal, capture: true, passive: true };
  document.addEventListener('pointerover', over, how);
  document.addEventListener('pointerdown', hide, how);
  document.addEventListener('focusin', focused, how);
  document.addEventListener('focusout', hide, how);
  document.addEventListener('keydown', pressed, how);
  document.addEventListener('scroll', hide, how);
  document.documentElement.addEventListener('pointerleave', hide, { signal: ends.signal });
  return () => {
    hide();
    ends.abort();
  };
}

/** Sets its text. Returns whether there is any. */
function fill(tip: HTMLElement, owner: Element): boolean {
  const text = owner.getAttribute('data-tip') ?? '';
  // Not beside an open menu of the same button.
  if (!text || owner.getAttribute('aria-expanded') === 'true') return false;
  const keys = owner.getAttribute('data-tip-keys');
  tip.replaceChildren(text);
  if (keys) {
    const written = document.createElement('kbd');
    written.textContent = keys;
    tip.append(written);
  }
  return true;
}
