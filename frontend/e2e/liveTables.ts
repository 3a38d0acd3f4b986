/**
 * What tests of live preview begin with: somebody who edits tables cell by cell. That is loaded a moment after the rest; a
 * press before shows the source of a table.
 */
import type { Stage, Visit } from './stage';

/** Where the text of Write is. */
export const CONTENT = '#document .write-half > .cm-editor > .cm-scroller > .cm-content';

/** Somebody at the first page, to whom live preview is loaded as a whole. */
export async function writer(stage: Stage): Promise<Visit> {
  const visit = await stage.person();
  await visit.page.goto('/');
  await loadTableEditing(visit);
  return visit;
}

/** The text of a workspace at the server, and its revision. */
export async function keptText(visit: Visit, id: string): Promise<{ text: string; revision: number }> {
  const { document, revision } = await visit.api<{ document: { text: string }; revision: number }>(
    'GET',
    `/workspaces/${id}`,
  );
  return { text: document.text, revision };
}

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
