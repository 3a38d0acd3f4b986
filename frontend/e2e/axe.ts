/**
 * What axe-core finds on a page as it stands: all its rules for WCAG 2.2 A and AA and for good practice, whatever the
 * impact. None is switched off; of those that are off by themselves the one for the size of targets is on, since it is
 * part of WCAG 2.2 AA. The others of these are experiments of axe.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

// Evaluated, not put into the page as a script, which the pages' security policy would rightly refuse.
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'];
/** Those that depend on the theme. */
const COLOURS = ['color-contrast', 'link-in-text-block'];

interface Axe {
  run: (options: object) => Promise<{
    violations: { id: string; impact: string | null; nodes: { html: string; failureSummary: string }[] }[];
  }>;
}

/** Every violation in words, once nothing moves any more; of colours alone, if the same page was looked at before. */
export async function axeViolations(page: Page, { only }: { only?: 'colours' } = {}): Promise<string[]> {
  await settled(page);
  const isThere = await page.evaluate(() => 'axe' in window);
  if (!isThere) await page.evaluate(source);
  const runOnly = only ? { type: 'rule', values: COLOURS } : { type: 'tag', values: TAGS };
  const violations = await page.evaluate(async (runOnly) => {
    const { axe } = window as unknown as { axe: Axe };
    const rules = runOnly.type === 'tag' ? { 'target-size': { enabled: true } } : {};
    // Drawings of Mermaid are images in a frame of another origin, which cannot be looked into from here.
    const options = {
      runOnly,
      rules,
      iframes: false,
      // It would read style sheets into a document of its own, against the pages' security policy; no rule here needs it.
      preload: false,
      resultTypes: ['violations'],
    };
    return (await axe.run(options)).violations;
  }, runOnly);
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id} (${impact}): ${html.slice(0, 220)}\n${failureSummary}`),
  );
}

/** Wait until nothing moves or fades any more: what is half there has no contrast and no place to speak of. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) => playState !== 'running' || effect?.getTiming().iterations === Infinity,
      ),
  );
  // Two frames: one for what listens to sizes, one for what that draws.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}
