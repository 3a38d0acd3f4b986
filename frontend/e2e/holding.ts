/** What the page asks for, held back. */
import type { Page } from 'playwright-core';

/** Hold requests until what is returned is called; `unrouteAll` ends it. */
export async function holdRequests(page: Page, address: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(address, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** Hold the file of a part that is loaded later. */
export const holdPart = (page: Page, part: string) => holdRequests(page, `**/assets/${part}-*.js`);

/** What the server says over live connections that the page opens from now on, held between `hold` and `release`. */
export async function holdAnswers(page: Page): Promise<{ hold: () => void; release: () => void }> {
  let held: (() => void)[] | null = null;
  await page.routeWebSocket(/\/live/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((text) => {
      if (held) held.push(() => socket.send(text));
      else socket.send(text);
    });
  });
  return {
    hold: () => {
      held = [];
    },
    release: () => {
      const waiting = held ?? [];
      held = null;
      for (const send of waiting) send();
    },
  };
}
