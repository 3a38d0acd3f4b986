/** What somebody does with a page in jsdom, by pointer and by key, and waits to see there. */
import { act } from 'react';
import { expect, vi } from 'vitest';
import { TIMEOUT_MS } from '../../e2e/timeout';

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

export const every = <E extends HTMLElement>(selector: string) => [...document.querySelectorAll<E>(selector)];
const called = (one: HTMLElement) => one.getAttribute('aria-label') ?? one.textContent;

/** jsdom has no dialogs: an open one is in the page. */
export function allowDialogs(): void {
  const showModal = function (this: HTMLDialogElement) {
    this.open = true;
  };
  Object.assign(HTMLDialogElement.prototype, { showModal, close() {} });
}

/**
 * Messages stay until `vi.useRealTimers`, however long what is done beside them takes. Frames, which jsdom counts by the same
 * intervals, come in the next turn.
 */
export function holdMessages(): void {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  vi.stubGlobal('requestAnimationFrame', (draw: FrameRequestCallback) =>
    setTimeout(() => draw(performance.now())),
  );
  vi.stubGlobal('cancelAnimationFrame', clearTimeout);
}

/** Wait for a state. What comes meanwhile is drawn before each look, which it is not within one `act`. */
export async function eventually(check: () => void): Promise<void> {
  const limit = performance.now() + TIMEOUT_MS / 2;
  for (;;) {
    await act(() => new Promise((resolve) => setTimeout(resolve)));
    try {
      return check();
    } catch (error) {
      if (performance.now() > limit) throw error;
    }
  }
}

export const says = (words: string | RegExp, at = 'body') =>
  eventually(() => expect(document.querySelector(at)?.textContent).toMatch(words));

/** The last one: a dialog lies over the page. */
export async function found(selector: string, name: string): Promise<HTMLElement> {
  const find = () => every(selector).findLast((one) => called(one) === name);
  await eventually(() => expect(find(), name).toBeDefined());
  return find() as HTMLElement;
}

export async function press(name: string): Promise<void> {
  const button = await found('button, [role="menuitem"]', name);
  await act(async () => button.click());
}

/** The field with this label. */
export async function field<F extends Field = HTMLInputElement>(label: string): Promise<F> {
  const find = () =>
    every<F>('input, textarea, select').find(
      (one) => one.getAttribute('aria-label') === label || one.labels?.[0]?.textContent === label,
    );
  await eventually(() => expect(find(), label).toBeDefined());
  return find() as F;
}

/** Write into the field with this label, or choose in it. */
export async function fill(label: string, value: string): Promise<void> {
  const one = await field<Field>(label);
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(one), 'value') ?? {};
  await act(async () => {
    one.focus();
    set?.call(one, value);
    one.dispatchEvent(new Event(one.matches('select') ? 'change' : 'input', { bubbles: true }));
  });
}

/** Press a key where the keyboard is. Answers whether the page has kept it from the browser. */
export async function key(name: string, modifiers: KeyboardEventInit = {}): Promise<boolean> {
  const event = new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true, ...modifiers });
  await act(async () => void (document.activeElement ?? document.body).dispatchEvent(event));
  return event.defaultPrevented;
}
