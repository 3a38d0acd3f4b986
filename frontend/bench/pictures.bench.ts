/**
 * Pictures of diagrams, as the editor exports them: each `*.json` in the folder that `PICTURES` names becomes two SVG and
 * two PNG files beside it, in light and in dark colours. `python -m bench.drawings.pictures` writes the diagrams.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { it } from 'vitest';
import { findChromium } from '../e2e/stage';
import { drawingOf } from '../src/model/drawing/drawing';
import { type Picture, svgOf } from '../src/model/export/svg';
import type { Diagram } from '../src/protocol/types';

const FOLDER = process.env.PICTURES ?? '';
const THEMES = ['light', 'dark'] as const;
/** Larger pictures are made smaller. */
const LARGEST = 2400;

it.skipIf(!FOLDER)('draws what is in the folder', async () => {
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu'] });
  const page = await browser.newPage();
  for (const name of readdirSync(FOLDER).filter((one) => one.endsWith('.json'))) {
    const { diagram } = JSON.parse(readFileSync(path.join(FOLDER, name), 'utf8')) as { diagram: Diagram };
    const drawing = drawingOf(diagram);
    for (const theme of THEMES) {
      const picture = svgOf(drawing, { theme });
      if (picture) await write(page, path.join(FOLDER, `${path.parse(name).name}-${theme}`), picture);
    }
  }
  await browser.close();
});

async function write(page: Page, file: string, { svg, width, height }: Picture): Promise<void> {
  writeFileSync(`${file}.svg`, svg);
  const scale = Math.min(1, LARGEST / Math.max(width, height));
  const size = { width: Math.ceil(width * scale), height: Math.ceil(height * scale) };
  await page.setViewportSize(size);
  await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw;height:auto}</style>${svg}`);
  await page.screenshot({ path: `${file}.png` });
}
