/** Tables in live preview, which are edited cell by cell as soon as that part is loaded; a press before shows their source. */
import type { Visit } from './stage';

/** Look at a table until it is edited; so is every other one of this page from then on. */
export async function loadTableEditing(visit: Visit): Promise<void> {
  const { page } = visit;
  const { id } = await visit.api<{ id: string }>('POST', '/workspaces', {
    name: 'Tables',
    document: { text: 'above\n\n| a |\n| --- |\n\nbelow' },
  });
  await visit.openWithin(id, { view: 'document', look: 'live' });
  await page.locator('#document .live-table').waitFor();
  await page.locator('#document .cm-content').first().focus();
  for (let isInCell = false; !isInCell; ) {
    for (const key of ['Control+Home', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
    isInCell = await page.evaluate(async () => {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      return document.activeElement?.closest('.live-table') != null;
    });
  }
}
