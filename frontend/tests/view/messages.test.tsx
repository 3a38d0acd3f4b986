// @vitest-environment jsdom
/** What the page says of what has just happened: messages that go by themselves, and what becomes of an import. */
import { act, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ImportStatus } from '../../src/view/imports/ImportStatus';
import { type Message, ToastProvider, type Toasts, useToasts } from '../../src/view/ui/overlay/Toasts';

let root: Root;
const page = document.createElement('div');
const draw = (part: ReactNode) => act(async () => root.render(part));

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  document.body.append(page);
  root = createRoot(page);
});

afterEach(async () => {
  await act(async () => root.unmount());
  page.remove();
  vi.unstubAllGlobals();
});

describe('messages', () => {
  let toasts: Toasts;

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    function Page() {
      toasts = useToasts();
      return <input type="search" />;
    }
    await draw(
      <ToastProvider>
        <Page />
      </ToastProvider>,
    );
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  const show = (message: Message) => act(async () => void toasts.show(message));
  const shown = () => [...page.querySelectorAll('.toasts .toast-text')].map((one) => one.textContent);
  const newest = () => [...page.querySelectorAll<HTMLElement>('.toast')].at(-1) as HTMLElement;
  const pass = (ms: number) => act(async () => void vi.advanceTimersByTime(ms));
  const point = (type: 'mouseover' | 'mouseout', at: Element) =>
    act(
      async () =>
        void at.dispatchEvent(new MouseEvent(type, { bubbles: true, relatedTarget: document.body })),
    );
  const press = (key: string, at: EventTarget = document.body) =>
    act(async () => {
      at.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    });

  it('go by themselves after eight seconds', async () => {
    await show({ text: 'Saved' });
    await pass(7999);
    expect(shown()).toEqual(['Saved']);
    await pass(1);
    expect(shown()).toEqual([]);
  });

  it('stay while somebody points at them, and go once nobody does', async () => {
    await show({ text: '“Old plan” is in the trash' });
    await point('mouseover', newest());
    await pass(60_000);
    expect(shown()).toEqual(['“Old plan” is in the trash']);
    await point('mouseout', newest());
    await pass(9000);
    expect(shown()).toEqual([]);
  });

  it('stay while the keyboard is in them', async () => {
    await show({ text: 'Undone', action: { label: 'Redo', run: () => undefined } });
    await act(async () => newest().querySelector('button')?.focus());
    await pass(60_000);
    expect(shown()).toEqual(['Undone']);
    await act(async () => page.querySelector('input')?.focus());
    await pass(9000);
    expect(shown()).toEqual([]);
  });

  it('of errors stay until they are taken away, by Escape or by their button', async () => {
    const fail = () => act(async () => toasts.showError(new TypeError('Failed to fetch')));
    await fail();
    await pass(60_000);
    expect(page.querySelectorAll('.toast.bad')).toHaveLength(1);
    await press('Escape');
    expect(shown()).toEqual([]);
    await fail();
    await pass(60_000);
    await act(async () => newest().querySelector<HTMLElement>('[aria-label="Dismiss"]')?.click());
    expect(shown()).toEqual([]);
  });

  it('leave Escape to a field in which somebody writes', async () => {
    await show({ text: 'Not saved', stays: true });
    await press('Escape', page.querySelector('input') as HTMLElement);
    expect(shown()).toEqual(['Not saved']);
  });
});

it('what becomes of an import comes empty, and stays the same while what it says changes', async () => {
  const region = () => page.querySelector('[role="status"]');
  // An element that comes with its text is passed over by screen readers.
  expect(renderToString(<ImportStatus text="Reading…" isBusy />)).toMatch(/role="status"[^>]*><\/p>/);
  await draw(<ImportStatus text="Reading…" isBusy />);
  const first = region();
  expect(first?.textContent).toBe(' Reading…');
  await draw(<ImportStatus text="2 new" className="import-note" />);
  expect(region()).toBe(first);
  expect(first?.textContent).toBe('2 new');
  expect(first?.className).toBe('import-note');
  await draw(<ImportStatus text="" />);
  expect(region()).toBe(first);
  expect(first?.className).toBe('visually-hidden');
});
