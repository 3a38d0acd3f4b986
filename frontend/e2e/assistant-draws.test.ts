/** A model's batch of 30 nodes in 4 groups, none with a place: drawn so that it can be shown, in both themes, and one undo. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Asker } from './assistantActor';
import { settled } from './axe';
import { canvasFlaws } from './layout';
import { diagram, Rehearsal } from './rehearsal';
import { Stage } from './stage';

/** By group: the type of each node, its name, and what it calls. */
const PLATFORM: Record<string, [type: string, label: string, calls: [string, string][]][]> = {
  Channels: [
    ['web', 'Shipper portal', [['API gateway', 'REST']]],
    [
      'mobile',
      'Driver app',
      [
        ['API gateway', 'REST'],
        ['Tracking', 'positions'],
      ],
    ],
    ['web', 'Back office', [['API gateway', 'REST']]],
    ['web', 'Customs desk', [['API gateway', 'REST']]],
  ],
  Edge: [
    ['cdn', 'CDN', [['Shipper portal', 'assets']]],
    [
      'gateway',
      'API gateway',
      [
        ['Identity', 'tokens'],
        ['Bookings', ''],
        ['Pricing', ''],
        ['Invoices', ''],
      ],
    ],
    ['auth', 'Identity', [['Users', '']]],
    [
      'gateway',
      'Partner gateway',
      [
        ['Bookings', 'EDI'],
        ['Customs', 'declarations'],
      ],
    ],
    [
      'load_balancer',
      'Load balancer',
      [
        ['API gateway', ''],
        ['Partner gateway', ''],
      ],
    ],
  ],
  Services: [
    [
      'service',
      'Bookings',
      [
        ['Bookings DB', ''],
        ['Events', 'booking.*'],
        ['Pricing', 'quote'],
      ],
    ],
    [
      'service',
      'Pricing',
      [
        ['Rates', ''],
        ['Rate cache', ''],
      ],
    ],
    [
      'service',
      'Routing',
      [
        ['Maps', ''],
        ['Events', 'route.*'],
      ],
    ],
    [
      'service',
      'Tracking',
      [
        ['Positions', ''],
        ['Events', 'position.*'],
      ],
    ],
    [
      'service',
      'Customs',
      [
        ['Customs authority', ''],
        ['Events', 'customs.*'],
      ],
    ],
    [
      'service',
      'Invoices',
      [
        ['Invoices DB', ''],
        ['Payment provider', ''],
      ],
    ],
    [
      'worker',
      'Dispatcher',
      [
        ['Routing', 'plan'],
        ['Notifications', ''],
      ],
    ],
    ['worker', 'Notifications', [['E-mail provider', '']]],
    ['service', 'Documents', [['Document store', '']]],
    ['worker', 'Importer', [['Rates', 'tariffs']]],
    [
      'scheduler',
      'Night jobs',
      [
        ['Importer', ''],
        ['Invoices', 'close the day'],
      ],
    ],
  ],
  Data: [
    ['database', 'Bookings DB', []],
    ['database', 'Rates', []],
    ['cache', 'Rate cache', []],
    ['database', 'Positions', []],
    ['database', 'Invoices DB', []],
    ['database', 'Users', []],
    ['storage', 'Document store', []],
    [
      'stream',
      'Events',
      [
        ['Dispatcher', 'all'],
        ['Documents', 'booking.*'],
        ['Warehouse', ''],
      ],
    ],
    ['database', 'Warehouse', []],
    ['service', 'Maps', []],
  ],
};
const OUTSIDE = ['Customs authority', 'Payment provider', 'E-mail provider'];

const id = (label: string) => label.toLowerCase().replaceAll(' ', '-');

function batch(): object[] {
  const groups = Object.keys(PLATFORM).map((label) => ({
    op: 'add_node',
    id: id(`${label} group`),
    type: 'group',
    label,
  }));
  const members = Object.entries(PLATFORM).flatMap(([group, rows]) =>
    rows.map(([type, label]) => ({
      op: 'add_node',
      id: id(label),
      type,
      label,
      parent: id(`${group} group`),
    })),
  );
  const outside = OUTSIDE.map((label) => ({ op: 'add_node', id: id(label), type: 'external', label }));
  const edges = Object.values(PLATFORM)
    .flat()
    .flatMap(([, source, calls]) =>
      calls.map(([target, label]) => ({
        op: 'add_edge',
        source: id(source),
        target: id(target),
        ...(label && { label }),
      })),
    );
  return [...groups, ...members, ...outside, ...edges];
}

let stage: Stage;
let model: Rehearsal;
let anna: Asker;

beforeAll(async () => {
  stage = await Stage.open({ model: 'stand-in' });
  model = new Rehearsal(stage.rehearsal);
  anna = await (await Asker.come(stage, 'Anna')).open();
});

afterAll(async () => {
  await stage?.close();
});

afterEach(() => {
  expect(anna.person.visit.complaints.splice(0)).toEqual([]);
});

describe('what a model draws at once', () => {
  const request = 'Draw the whole platform';

  it('stands in its groups, and nothing is on anything', async () => {
    expect(Object.values(PLATFORM).flat()).toHaveLength(30);
    await anna.becomes('Apply');
    await model.plays(request, [{ calls: [diagram(...batch())] }, { text: 'That is the platform.' }]);
    await (await anna.asks(request)).is('applied');
    await anna.person.saved();
    const { nodes } = await anna.person.stored();
    for (const [group, rows] of Object.entries(PLATFORM))
      for (const [, label] of rows)
        expect(nodes.get(id(label))).toMatchObject({ parent: id(`${group} group`) });
  });

  it.each(['light', 'dark'] as const)('can be shown as it is, in %s', async (colorScheme) => {
    const { page } = anna;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.keyboard.press('Escape');
    await page.locator('.react-flow__pane').click({ position: { x: 5, y: 5 } });
    await page.keyboard.press('Shift+1');
    await settled(page);
    if (process.env.PICTURES)
      await page.screenshot({ path: `${process.env.PICTURES}/model-${colorScheme}.png` });
    await expect.poll(() => canvasFlaws(page)).toEqual([]);
  });

  it('is taken back in one step', async () => {
    await anna.page.keyboard.press('Control+z');
    await expect.poll(async () => (await anna.person.stored()).nodes.has('tracking')).toBe(false);
  });
});
