/** What style sheets cost while a diagram is edited. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const STYLES = path.join(import.meta.dirname, '../../src/view/styles');
/** What the canvas lies in. */
const AROUND =
  /(?:^|[\s,>~+])(?:body|html|:root|\.page|\.workspace|\.workspace-body|\.panes|\.diagram-pane|\.board|\.react-flow)(?:[.[][^\s,:]*)?:has\((?!\s*>)/;

it('has no rule that asks what lies anywhere in an element around the canvas', () => {
  // The browser would ask it again for all that changes there: that took a sixth of each frame of a drag.
  const found = readdirSync(STYLES).flatMap((name) => {
    const text = readFileSync(path.join(STYLES, name), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
    return [...text.matchAll(/([^{}]+)\{/g)]
      .map(([, selector = '']) => selector.trim())
      .filter((one) => AROUND.test(one));
  });
  expect(found).toEqual([]);
  expect('body:has(.tour) .name-question').toMatch(AROUND);
  expect('.workspace-body:has(.side-panel) .proposal-notice').toMatch(AROUND);
});
