/**
 * One screen looked at, in both themes and at its sizes: what axe finds, what is cut or covered, and, if
 * `$SHOTS` names a folder, pictures for people.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { axeViolations, settled } from './axe';
import { canvasFlaws, faintEdges, pageFlaws } from './layout';
import type { Scene, Screen } from './screens';

/** Where pictures are left; they take longer than all that is looked at. */
const SHOTS = process.env.SHOTS ? path.resolve(process.env.SHOTS) : '';

type Size = { width: number; height: number };

export const SIZES: Size[] = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 1920, height: 1080 },
];

const THEMES = ['light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

/** Bring a screen up and say everything that is wrong with it, in one theme after the other. */
export async function look(screen: Screen, scene: Scene): Promise<string[]> {
  const flaws: string[] = [];
  const { page } = scene;
  if (SHOTS) mkdirSync(SHOTS, { recursive: true });
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize(sizesOf(screen, theme)[0] as Size);
    if (theme === THEMES[0]) await screen.open(scene);
    flaws.push(...(await lookIn(theme, screen, page)).map((flaw) => `${theme} ${flaw}`));
  }
  await screen.close?.(scene);
  return flaws;
}

async function lookIn(theme: Theme, screen: Screen, page: Page): Promise<string[]> {
  await settled(page);
  const flaws = await axeViolations(page, theme === THEMES[0] ? {} : { only: 'colours' });
  for (const size of sizesOf(screen, theme)) {
    await page.setViewportSize(size);
    await settled(page);
    const at = (flaw: string) => `at ${size.width}: ${flaw}`;
    flaws.push(...(await pageFlaws(page, screen)).map(at));
    if (screen.isFitted) flaws.push(...(await canvasFlaws(page)).map(at));
    if (SHOTS) await page.screenshot({ path: path.join(SHOTS, `${screen.name}-${theme}-${size.width}.png`) });
  }
  if (screen.isFitted) flaws.push(...(await faintEdges(page)));
  return flaws;
}

/** Colours do not depend on the size, nor sizes on the colours; what is over a page hardly differs on a large one. */
function sizesOf({ only, isFitted, mayScroll }: Screen, theme: Theme): Size[] {
  if (only) return [only];
  if (theme === 'dark') return SIZES.slice(0, 1);
  return isFitted || mayScroll ? SIZES : SIZES.slice(0, 2);
}
