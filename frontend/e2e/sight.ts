/** Nodes that a test presses: what is added beside what is shown may lie outside the canvas, where nobody could press it. */
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';

/** Bring a node into sight as following a link to it does, unless its middle is there already. */
export async function bringIntoSight(node: Locator): Promise<void> {
  await node.waitFor();
  if (await node.evaluate(isInSight)) return;
  await node.evaluate((element) => {
    const hash = `#node/${encodeURIComponent(element.getAttribute('data-id') ?? '')}`;
    // A link that is followed once more changes no address.
    if (location.hash === hash) dispatchEvent(new HashChangeEvent('hashchange'));
    else location.hash = hash;
  });
  await expect.poll(() => node.evaluate(isInSight)).toBe(true);
}

function isInSight(element: Element): boolean {
  const pane = element.closest('.react-flow')?.getBoundingClientRect();
  const { x, y, width, height } = element.getBoundingClientRect();
  const [left, top] = [x + width / 2, y + height / 2];
  return !!pane && left > pane.left && left < pane.right && top > pane.top && top < pane.bottom;
}
