/**
 * Time as pages have it. A slow machine lets more of it pass between two keys than a person does, so a test can let none
 * pass meanwhile; and messages that go by themselves stay for as long as a test may need to act on them.
 */
import type { Page } from 'playwright-core';
import { TIMEOUT_MS } from './timeout';

/** After how long a message goes by itself (`view/ui/overlay/Toasts.tsx`). */
const MESSAGE_MS = 8000;

interface HeldTime {
  hold: () => void;
  letGo: () => void;
  pass: (ms: number) => void;
}

/** Runs in each page before anything else of it; where a test installs Playwright's clock, that takes its place. */
export const TIME_IN_PAGES = { run: keepTime, given: { messageMs: MESSAGE_MS, staysMs: 2 * TIMEOUT_MS } };

function keepTime({ messageMs, staysMs }: { messageMs: number; staysMs: number }): void {
  const { setTimeout: later, clearTimeout: forget, setInterval: every } = window;
  const now = Date.now;
  let heldAt: number | null = null;
  const due = new Map<number, () => void>();
  const setTimeout = (run: (...given: unknown[]) => void, ms?: number, ...given: unknown[]): number => {
    const id = later(() => {
      if (heldAt === null) run(...given);
      else due.set(id, () => run(...given));
    }, ms);
    return id;
  };
  const clearTimeout = (id?: number): void => {
    if (id !== undefined) due.delete(id);
    forget(id);
  };
  const setInterval = (run: () => void, ms?: number, ...given: unknown[]): number =>
    every(run, ms === messageMs ? staysMs : ms, ...given);
  Object.assign(window, { setTimeout, clearTimeout, setInterval });
  Date.now = () => heldAt ?? now();
  const heldTime: HeldTime = {
    hold: () => {
      heldAt = now();
    },
    letGo: () => {
      heldAt = null;
      for (const [id, run] of [...due]) if (due.delete(id)) run();
    },
    pass: (ms) => {
      if (heldAt !== null) heldAt += ms;
    },
  };
  Object.assign(window, { heldTime });
}

/**
 * Do something in a moment: for the page no time passes but what `pass` adds to its clock, and what waits for a while goes
 * on waiting.
 */
export async function withTimeHeld(
  page: Page,
  act: (pass: (ms: number) => Promise<void>) => Promise<void>,
): Promise<void> {
  await page.evaluate(() => (window as unknown as { heldTime: HeldTime }).heldTime.hold());
  await act((ms) =>
    page.evaluate((ms) => (window as unknown as { heldTime: HeldTime }).heldTime.pass(ms), ms),
  );
  await page.evaluate(() => (window as unknown as { heldTime: HeldTime }).heldTime.letGo());
}

/** Let so much time pass in the page. */
export async function passTime(page: Page, ms: number): Promise<void> {
  await page.evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), ms);
}
