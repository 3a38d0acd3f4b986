/** The contrast of what is written on the canvas: names of every type, titles, labels and what is proposed, in both themes. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NODE_TYPES } from '../src/protocol/types';
import { makeWorkspace } from './actors';
import { Asker } from './assistantActor';
import { settled } from './axe';
import { contrasts } from './contrast';
import { Stage } from './stage';

const LEAST = 4.5;
const THEMES = ['light', 'dark'] as const;
const TYPES = NODE_TYPES.filter((type) => type !== 'group');

let stage: Stage;
let ana: Asker;
const page = (): Page => ana.page;

/** A card of each type, half of them in a group in a group, each with a labelled line to the next. */
function everyType() {
  const groups = [
    {
      id: 'outer',
      type: 'group',
      label: 'Outer zone',
      position: { x: 0, y: 0 },
      size: { width: 1000, height: 700 },
    },
    { id: 'inner', type: 'group', label: 'Inner zone', parent: 'outer', position: { x: 40, y: 60 } },
  ];
  const nodes = TYPES.map((type, at) => ({
    id: type,
    type,
    label: `Name of ${type}`,
    technology: 'Go 1.25',
    ...(at < TYPES.length / 2 && { parent: 'inner' }),
    position: {
      x: 40 + (at % 4) * 300 + (at < TYPES.length / 2 ? 0 : 1400),
      y: 60 + Math.floor((at % 12) / 4) * 200,
    },
  }));
  const edges = TYPES.slice(1).map((type, at) => ({
    source: TYPES[at],
    target: type,
    label: `calls ${at}`,
    kind: ['sync', 'async', 'data', 'dependency'][at % 4],
  }));
  return { text: '# Plan\n', nodes: [...groups, ...nodes], edges };
}

beforeAll(async () => {
  stage = await Stage.shared();
  ana = await Asker.come(stage, 'Ana');
});

afterAll(() => stage?.close());

/** Every text of these kinds is read well in both themes; each kind is there. */
async function allClear(kinds: Readonly<Record<string, number>>): Promise<void> {
  for (const colorScheme of THEMES) {
    await page().emulateMedia({ colorScheme });
    await settled(page());
    const found = await contrasts(page(), Object.keys(kinds));
    for (const [kind, least] of Object.entries(kinds))
      expect(found.filter(({ what }) => what.startsWith(kind)).length, kind).toBeGreaterThanOrEqual(least);
    const pale = found.filter(({ ratio }) => ratio < LEAST);
    expect(pale.map(({ what, ratio }) => `${what}: ${ratio.toFixed(2)} in ${colorScheme}`)).toEqual([]);
  }
  await page().emulateMedia({ colorScheme: 'light' });
}

describe('the contrast', () => {
  it('of names, titles and labels is at least 4.5, near and far, selected or not', async () => {
    const workspace = await makeWorkspace(ana.person.visit, everyType());
    await ana.person.visit.openWithin(workspace, { panel: 'none', view: 'diagram' });
    await page().locator('.node-card').first().waitFor();
    await page().locator('.workspace:not([data-read="first"])').waitFor();
    await page().keyboard.press('Shift+1');
    // Titles and labels are parts that are read later than the first view.
    await page().locator('.frame-title').nth(1).waitFor();
    await page().locator('.edge-label').first().waitFor();
    await allClear({ '.node-label': TYPES.length, '.frame-title': 2, '.edge-label': 1 });
    await page().keyboard.press('Control+a');
    await allClear({ '.node-label': TYPES.length, '.edge-label': 1 });
    await page().keyboard.press('Escape');
    // As near as icons and what cards are made with are drawn.
    for (const id of ['web', 'database']) {
      await page().keyboard.press('Shift+1'); // What was shown near before leaves the other card outside.
      await settled(page());
      await page().locator(`.react-flow__node[data-id="${id}"]`).click();
      await page().keyboard.press('Shift+2');
      await allClear({ '.node-label': 1, '.node-technology': 1 });
    }
  });

  it('of what is proposed, changed and removed is at least 4.5', async () => {
    await ana.person.openWithin({ panel: 'assistant', view: 'split' });
    await ana.open();
    await ana.becomes('Preview');
    await ana.asks('add a Redis cache between API and Orders; rename Web shop to Shop; delete Mail');
    await ana.ghostNode('redis-cache').waitFor();
    await page().locator('.node-card.is-removed, .is-removed .node-label').first().waitFor();
    await allClear({ '.ghost-node .node-label': 1, '.node-label': 3, '.ghost-note': 1 });
  });
});
