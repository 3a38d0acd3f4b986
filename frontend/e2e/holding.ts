/** Parts of the page that are loaded later, held back. */
import type { Page } from 'playwright-core';

/** Hold the file of a part until what is returned is called; `unrouteAll` ends it. */
export async function holdPart(page: Page, part: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**/assets/${part}-*.js`, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}
