/** One screen looked at, at its sizes: what axe finds, what is cut or covered, and a picture for people in `shots/`. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { axeViolations, settled } from './axe';
import { canvasFlaws, faintEdges, pageFlaws } from './layout';
import type { Scene, Screen } from './screens';

const SHOTS = path.resolve(import.meta.dirname, 'shots');

export const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 1920, height: 1080 },
];

export type Theme = 'light' | 'dark';

/** Bring a screen up and say everything that is wrong with it. */
export async function look(screen: Screen, scene: Scene, theme: Theme): Promise<string[]> {
  const flaws: string[] = [];
  const { page } = scene;
  const sizes = sizesOf(screen, theme);
  mkdirSync(SHOTS, { recursive: true });
  await page.setViewportSize(sizes[0] ?? { width: 1440, height: 900 });
  await screen.open(scene);
  await settled(page);
  flaws.push(...(await axeViolations(page)));
  for (const size of sizes) {
    await page.setViewportSize(size);
    await settled(page);
    const at = (flaw: string) => `at ${size.width}: ${flaw}`;
    flaws.push(...(await pageFlaws(page, screen)).map(at));
    if (screen.isFitted) flaws.push(...(await canvasFlaws(page)).map(at));
    await page.screenshot({ path: path.join(SHOTS, `${screen.name}-${theme}-${size.width}.png`) });
  }
  if (screen.isFitted) flaws.push(...(await faintEdges(page)));
  await screen.close?.(scene);
  return flaws;
}

/** Colours do not depend on the size, nor sizes on the colours; what is over a page hardly differs on a large one. */
function sizesOf({ only, isFitted, mayScroll }: Screen, theme: Theme) {
  if (only) return [only];
  if (theme === 'dark') return SIZES.slice(0, 1);
  return isFitted || mayScroll ? SIZES : SIZES.slice(0, 2);
}
