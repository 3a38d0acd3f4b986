/** The diagram as text beside the canvas: what is written is drawn, what is drawn is written, also by two people at once. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeWorkspace, Person, type Scene } from './actors';
import { axeViolations } from './axe';
import { Stage } from './stage';
import { Wire } from './wire';

let stage: Stage;
let anna: Person;

const SCENE: Scene = {
  text: '# Plan\n',
  nodes: [
    { id: 'web', type: 'web', label: 'Web shop', position: { x: 0, y: 0 } },
    { id: 'core', type: 'group', label: 'Core', position: { x: 320, y: -80 } },
    { id: 'orders', type: 'service', label: 'Orders', parent: 'core', position: { x: 40, y: 60 } },
    { id: 'mail', type: 'service', label: 'Mail', position: { x: 0, y: 320 } },
  ],
  edges: [{ id: 'buys', source: 'web', target: 'orders', label: 'buys' }],
};
const TEXT = ['Web shop', 'Core', '  Orders', 'Mail', '', 'Web shop -> Orders: buys'];

const page = () => anna.page;
const pane = (person = anna) => person.page.getByRole('region', { name: 'Diagram as text' });
const lines = (person = anna) => pane(person).locator('.cm-line');
const text = (person = anna) => lines(person).allTextContents();
const reads = (wanted: string[], person = anna) => expect.poll(() => text(person)).toEqual(wanted);
const problem = () => pane().locator('.text-problem');

interface Drawn {
  nodes: { id: string; label: string; type: string; parent: string | null; position: object }[];
  edges: { id: string; source: string; target: string; label: string; kind: string }[];
}

const drawn = async (): Promise<Drawn> =>
  (await anna.visit.api<{ diagram: Drawn }>('GET', `/workspaces/${anna.workspace}`)).diagram;
const labels = async () => (await drawn()).nodes.map(({ label }) => label).sort();
const nodeOf = async (label: string) => (await drawn()).nodes.find((node) => node.label === label);

/** Do something, and expect exactly one revision of it once everything is saved. */
async function step(act: () => Promise<void>): Promise<void> {
  const before = (await anna.stored()).revision;
  await act();
  await expect.poll(async () => (await anna.stored()).revision).toBe(before + 1);
  await anna.says({ revision: before + 1, pending: 0, condition: 'saved' });
}

/** Put the caret behind a line. */
async function toEndOf(line: string, person = anna): Promise<void> {
  await lines(person).filter({ hasText: line }).first().click();
  await person.key('End');
}

async function open(person: Person): Promise<void> {
  await person.openWithin({ panel: 'none', view: 'split', text: 'open' });
  await reads(TEXT, person);
}

beforeAll(async () => {
  stage = await Stage.shared();
  anna = await Person.come(stage, 'Anna', '');
});

afterAll(async () => {
  await stage?.close();
});

beforeEach(async () => {
  anna = new Person(anna.visit, await makeWorkspace(anna.visit, SCENE));
  await open(anna);
});

describe('the diagram as text', () => {
  it('is opened and closed by a key, and is free of violations', async () => {
    expect(await axeViolations(page())).toEqual([]);
    await anna.key('Alt+t');
    await pane().waitFor({ state: 'detached' });
    await anna.key('Alt+t');
    await expect
      .poll(() =>
        pane()
          .locator('.cm-content')
          .evaluate((node) => node === document.activeElement),
      )
      .toBe(true);
    await reads(TEXT);
    await anna.key('Escape');
    await anna.key('Tab');
    await expect
      .poll(() =>
        pane()
          .getByRole('separator')
          .evaluate((node) => node === document.activeElement),
      )
      .toBe(true);
    const width = async () => (await pane().boundingBox())?.width ?? 0;
    const before = await width();
    await anna.key('ArrowRight');
    await expect.poll(width).toBe(before + 24);
  });

  it('is opened and closed by a button beside the views', async () => {
    const button = anna.button('Diagram as text');
    await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true');
    await button.click();
    await pane().waitFor({ state: 'detached' });
    expect(await button.getAttribute('aria-pressed')).toBe('false');
    await anna.button('Document').click();
    await button.click();
    await reads(TEXT);
    await expect.poll(() => anna.button('Split').getAttribute('aria-pressed')).toBe('true');
  });

  it('draws a node for a line, as one step, and takes it back as that', async () => {
    await toEndOf('Mail');
    await anna.key('Enter');
    await anna.type('Invoices DB [Postgres]');
    expect(await labels()).not.toContain('Invoices DB');
    await step(() => anna.key('Enter'));
    const node = await nodeOf('Invoices DB');
    expect(node).toMatchObject({ type: 'database', parent: null });
    await anna.labelled(node?.id ?? '', 'Invoices DB');
    await step(() => anna.key('Control+z'));
    expect(await labels()).not.toContain('Invoices DB');
    await reads([...TEXT.slice(0, 4), '', ...TEXT.slice(4)]);
  });

  it('draws a connection, with the node that was not there', async () => {
    await page().locator('.text-pane .cm-content').click();
    await anna.key('Control+End');
    await anna.key('Enter');
    await anna.type('Orders ~> Outbox queue: confirms');
    await step(() => anna.key('Control+s'));
    const outbox = await nodeOf('Outbox queue');
    expect(outbox?.type).toBe('queue');
    expect((await drawn()).edges).toContainEqual(
      expect.objectContaining({ source: 'orders', target: outbox?.id, label: 'confirms', kind: 'async' }),
    );
    await reads([...TEXT.slice(0, 4), 'Outbox queue', ...TEXT.slice(4), 'Orders ~> Outbox queue: confirms']);
  });

  it('keeps id and place of a node that is renamed, after a pause', async () => {
    const before = await nodeOf('Orders');
    await toEndOf('  Orders');
    await step(() => anna.type(' desk'));
    expect(await nodeOf('Orders desk')).toEqual({ ...before, label: 'Orders desk' });
    await reads(['Web shop', 'Core', '  Orders desk', 'Mail', '', 'Web shop -> Orders desk: buys']);
  });

  it('puts a node into a group whose line is cut and pasted', async () => {
    await lines().filter({ hasText: 'Mail' }).click();
    await anna.key('Home');
    await anna.key('Shift+ArrowDown');
    await page().context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await anna.key('Control+x');
    await toEndOf('  Orders');
    await anna.key('ArrowRight');
    await anna.type('  ');
    await anna.key('Control+v');
    await anna.key('Control+s');
    await expect.poll(async () => (await nodeOf('Mail'))?.parent).toBe('core');
    expect((await nodeOf('Mail'))?.id).toBe('mail');
  });

  it('completes names, and says below a line what is wrong with it', async () => {
    await page().locator('.text-pane .cm-content').click();
    await anna.key('Control+End');
    await anna.key('Enter');
    await anna.type('Mail -> We');
    await pane().locator('.cm-tooltip-autocomplete', { hasText: 'Web shop' }).waitFor();
    await anna.key('Enter');
    await reads([...TEXT, 'Mail -> Web shop']);
    await anna.type(' -> Orders');
    await problem().getByText('A line holds one connection.').waitFor();
    expect(await axeViolations(page())).toEqual([]);
    await step(async () => {
      await toEndOf('  Orders');
      await anna.type(' [Go]');
    });
    expect((await drawn()).edges).toHaveLength(1);
    await problem().waitFor();
    await toEndOf('Mail -> Web shop');
    for (let signs = 0; signs < ' -> Orders'.length; signs += 1) await anna.key('Backspace');
    await step(() => anna.key('Control+s'));
    await problem().waitFor({ state: 'detached' });
    expect((await drawn()).edges).toHaveLength(2);
  });

  it('takes back what was typed and not sent, before anything that was', async () => {
    await toEndOf('Mail');
    await step(() => anna.type('ing'));
    await anna.key('Enter');
    await anna.type('New -');
    await anna.key('Control+z');
    await expect.poll(() => text()).not.toContain('New -');
    expect(await labels()).toContain('Mailing');
    await step(() => anna.key('Control+z'));
    expect(await labels()).toContain('Mail');
  });

  it('selects what the caret is at, and marks what is selected', async () => {
    await toEndOf('Mail');
    await anna.node('mail').locator('.selected').waitFor();
    await anna.select('web');
    await pane()
      .locator('.cm-line.is-marked', { hasText: /^Web shop$/ })
      .waitFor();
  });

  it('covers the canvas where there is no room for both, and is written on there', async () => {
    await page().setViewportSize({ width: 640, height: 800 });
    try {
      await anna.button('Diagram').click();
      const placeOf = async (box: ReturnType<typeof pane>) => {
        const { x = 0, width = 0 } = (await box.boundingBox()) ?? {};
        return [Math.round(x), Math.round(width)];
      };
      await expect.poll(() => placeOf(pane())).toEqual(await placeOf(page().locator('#diagram')));
      expect(await pane().getByRole('separator').isVisible()).toBe(false);
      await toEndOf('Mail');
      await step(() => anna.type('room'));
      await reads(['Web shop', 'Core', '  Orders', 'Mailroom', '', 'Web shop -> Orders: buys']);
      expect(await axeViolations(page())).toEqual([]);
      await anna.button('Close the text').click();
      await pane().waitFor({ state: 'detached' });
      await anna.select('mail');
    } finally {
      await page().setViewportSize({ width: 1440, height: 900 });
    }
  });

  it('is only shown beside an old revision', async () => {
    await anna.batch({ op: 'update_node', id: 'mail', label: 'Post' });
    await reads(['Web shop', 'Core', '  Orders', 'Post', '', 'Web shop -> Orders: buys']);
    await anna.lookAt(1);
    await pane().getByText('View only').waitFor();
    await reads(TEXT);
    expect(await pane().locator('.cm-content').getAttribute('contenteditable')).toBe('false');
  });

  it('begins with an example in an empty diagram', async () => {
    const empty = new Person(anna.visit, await makeWorkspace(anna.visit));
    await empty.visit.openWithin(empty.workspace, { panel: 'none', view: 'diagram', text: 'open' });
    await pane(empty).getByText('Web shop -> Orders: place order').waitFor();
  });
});

describe('two people', () => {
  it('write and draw at once, and the line that is being written stays', async () => {
    const ben = new Person((await Person.come(stage, 'Ben', anna.workspace)).visit, anna.workspace);
    await open(ben);
    await toEndOf('  Orders');
    await anna.key('Enter');
    await anna.type('Bil');
    await ben.rename('mail', 'Post');
    await ben.batch({ op: 'add_edge', source: 'mail', target: 'orders', label: 'asks' });
    await reads([
      'Web shop',
      'Core',
      '  Orders',
      '  Bil',
      'Post',
      '',
      'Web shop -> Orders: buys',
      'Post -> Orders: asks',
    ]);
    await anna.type('ling');
    await anna.key('Enter');
    const wanted = [
      'Web shop',
      'Core',
      '  Orders',
      '  Billing',
      'Post',
      '',
      'Web shop -> Orders: buys',
      'Post -> Orders: asks',
    ];
    await reads(wanted, ben);
    expect((await nodeOf('Billing'))?.parent).toBe('core');
  });
});

describe('while the server is away', () => {
  it('what is written is drawn and kept, the pane says so, and it is sent once the server answers', async () => {
    const wire = await Wire.to(stage.url);
    const far = await Person.come(stage, 'Cleo', anna.workspace, wire);
    await open(far);
    await far.offline(true);
    const kept = pane(far).getByText('Kept here', { exact: true });
    await kept.waitFor();
    await toEndOf('Mail', far);
    await far.key('Enter');
    await far.type('Outbox queue');
    await far.key('Enter');
    await far.page.locator('.react-flow__node', { hasText: 'Outbox queue' }).waitFor();
    const wanted = [...TEXT.slice(0, 4), 'Outbox queue', '', ...TEXT.slice(4)];
    await reads(wanted, far);
    expect(await labels()).not.toContain('Outbox queue');
    await far.offline(false);
    await far.saved();
    await kept.waitFor({ state: 'detached' });
    expect(await labels()).toContain('Outbox queue');
    await reads(wanted, far);
    far.visit.forgiveLostRequests();
    await wire.close();
  });
});
