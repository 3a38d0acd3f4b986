/** Two people in one workspace, on the plain page: what one does the other sees, and nothing of either is lost. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations } from './axe';
import { PlainPage } from './plainPage';
import { Stage } from './stage';
import { Wire } from './wire';

/** A paragraph for each purpose, so that none gets so long that it is wrapped: the End key goes to the end of a row. */
const PARAGRAPHS = [
  'Together.',
  'Same place.',
  'Undo.',
  'Composed.',
  'Elsewhere.',
  'Offline.',
  'Reload.',
  'Unheard.',
  'Crash.',
];
const DOCUMENT = `# Plan\n\n${PARAGRAPHS.join('\n\n')}\n`;
const NODES = [
  { id: 'web', type: 'web', label: 'Web' },
  { id: 'orders', type: 'service', label: 'Orders' },
];

let stage: Stage;
/** Anna's way to the server; Ben's cannot be cut. */
let wire: Wire;
let anna: PlainPage;
let ben: PlainPage;

beforeAll(async () => {
  stage = await Stage.open({ serves: 'plain page' });
  wire = await Wire.to(stage.url);
  const visits = [
    await stage.person('light', wire.url, { readsAhead: true }),
    await stage.person('dark'),
  ] as const;
  for (const [visit, name] of [
    [visits[0], 'Anna'],
    [visits[1], 'Ben'],
  ] as const) {
    await visit.page.goto('/');
    await visit.api('PATCH', '/me', { name });
  }
  const { id } = await visits[0].api<{ id: string }>('POST', '/workspaces', {
    name: 'Together',
    document: { text: DOCUMENT },
    diagram: { nodes: NODES },
  });
  anna = new PlainPage(visits[0], id);
  ben = new PlainPage(visits[1], id);
});

afterAll(async () => {
  await wire?.close();
  await stage?.close();
});

/** What the server holds. */
async function stored(): Promise<{ text: string; labels: Record<string, string>; revision: number }> {
  const { document, diagram, revision } = await ben.visit.api<{
    document: { text: string };
    diagram: { nodes: { id: string; label: string }[] };
    revision: number;
  }>('GET', `/workspaces/${ben.workspace}`);
  return {
    text: document.text,
    labels: Object.fromEntries(diagram.nodes.map(({ id, label }) => [id, label])),
    revision,
  };
}

/** Wait until nothing is on its way and both pages show what the server holds. */
async function settle(): Promise<string> {
  await anna.saved();
  await ben.saved();
  const { text, revision } = await stored();
  for (const page of [anna, ben]) {
    await page.status({ revision });
    await expect.poll(() => page.text()).toBe(text);
  }
  return text;
}

const times = (text: string, part: string): number => text.split(part).length - 1;

describe('together', () => {
  it('shows what is there, under the same policy as every page', async () => {
    const answer = await anna.goTo();
    expect(answer?.headers()['content-security-policy']).toMatch(/style-src 'self' 'nonce-[\w-]{20,}';/);
    await anna.open();
    await ben.open();
    expect(await anna.text()).toBe(DOCUMENT);
    await ben.labelled('web', 'Web');
  });

  it('shows each the other’s edits', async () => {
    await anna.addNode('ledger', 'Ledger', 40, 60);
    await ben.labelled('ledger', 'Ledger');
    expect(await ben.node('ledger').getAttribute('data-x')).toBe('40');
    await ben.renameNode('ledger', 'General ledger');
    await anna.labelled('ledger', 'General ledger');
    await anna.press('Delete web');
    await ben.node('web').waitFor({ state: 'detached' });
    await settle();
  });

  it('says who is here and where, each in a colour of their own', async () => {
    const people = await anna.people(2);
    expect(new Set(people.map(({ color }) => color)).size).toBe(2);
    expect(people.filter(({ me }) => me === 'true')).toHaveLength(1);

    await anna.visit.page.locator('#pointer-field').hover({ position: { x: 30, y: 20 } });
    await ben.visit.page.locator('#people [data-where*="points at 30, 20"]').waitFor();
    await anna.caretAfter('Together.');
    await ben.visit.page
      .locator(`#people [data-where*="caret at ${'# Plan\n\nTogether.'.length}"]`)
      .waitFor();
    await ben.visit.page.locator('.cm-otherCaret[data-name="Anna"]').waitFor();
    await anna.visit.page.keyboard.press('Shift+Home');
    await ben.visit.page.locator('.cm-otherSelection[data-name="Anna"]').first().waitFor();
  });

  it('gives two tabs of one person one colour, and lets the second go when it is closed', async () => {
    const tab = await anna.visit.tab();
    await new PlainPage(tab, anna.workspace).open();
    const people = await ben.people(3);
    const mine = people.filter(({ me }) => me === 'true').map(({ person }) => person);
    const others = people.filter(({ person }) => !mine.includes(person));
    expect(others).toHaveLength(2);
    expect(new Set(others.map(({ person, color }) => `${person} ${color}`)).size).toBe(1);
    expect(tab.complaints).toEqual([]);
    await tab.page.close();
    await ben.people(2);
  });

  it('lets both type in one paragraph at once', async () => {
    await anna.caretAfter('Together.');
    await ben.caretAfter('Together.');
    await ben.visit.page.keyboard.press('Home');
    await Promise.all([anna.type(' Anna adds 🌊 to its end.'), ben.type('Ben begins 🏔️ it. ')]);
    const text = await settle();
    expect(text).toContain('Ben begins 🏔️ it. Together. Anna adds 🌊 to its end.');
  });

  it('keeps every keystroke where both type in the very same place', async () => {
    for (const page of [anna, ben]) {
      await page.caretAfter('Same place.');
      await page.reads('Same place.');
    }
    await Promise.all([anna.type('1234567890'.repeat(3)), ben.type('abcdefghij'.repeat(3))]);
    const text = await settle();
    const line = text.split('\n').find((one) => one.startsWith('Same place.')) ?? '';
    expect([...line.slice('Same place.'.length)].sort().join('')).toBe(
      [...'1234567890abcdefghij']
        .flatMap((sign) => [sign, sign, sign])
        .sort()
        .join(''),
    );
    expect(line.replace(/[^0-9]/g, '')).toBe('1234567890'.repeat(3));
  });
});

describe('undo', () => {
  it('takes back one’s own last change and leaves the other’s', async () => {
    await anna.addNode('of-anna', 'Of Anna');
    await ben.labelled('of-anna', 'Of Anna');
    await ben.addNode('of-ben', 'Of Ben');
    await anna.labelled('of-ben', 'Of Ben');
    await anna.press('Undo my last change');
    await ben.node('of-anna').waitFor({ state: 'detached' });
    await ben.labelled('of-ben', 'Of Ben');
    await anna.press('Redo');
    await ben.labelled('of-anna', 'Of Anna');
  });

  it('takes back one’s own typing in the editor and leaves the other’s', async () => {
    await anna.caretAfter('Undo.');
    await anna.type(' ANNA');
    await ben.reads(' ANNA');
    await ben.caretAfter('Undo.');
    await ben.type(' BEN');
    await anna.reads(' ANNA BEN');
    await anna.visit.page.keyboard.press('Control+z');
    await ben.reads(' ANNA', 'detached');
    await ben.reads(' BEN');
    await anna.visit.page.keyboard.press('Control+y');
    await ben.reads(' ANNA');
    await settle();
  });

  it('reverts a commit of somebody by its revision, and says so', async () => {
    await anna.saved();
    await ben.renameNode('orders', 'Order intake');
    await anna.labelled('orders', 'Order intake');
    const { revision } = await stored();
    await anna.press(`Revert revision ${revision}`);
    await ben.labelled('orders', 'Orders');
    await anna.visit.page.locator('#outcome', { hasText: `Saved as revision ${revision + 1}` }).waitFor();
  });
});

describe('input methods', () => {
  it('a composition goes on while others write around it and in its very line', async () => {
    const { page } = anna.visit;
    await anna.caretAfter('Composed.');
    const keyboard = await page.context().newCDPSession(page);
    const compose = (text: string) =>
      keyboard.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      });
    await compose('に');
    await anna.reads('に');
    await ben.caretAfter('Elsewhere.');
    await ben.type(' Written meanwhile.');
    await anna.reads('Written meanwhile.');
    await compose('にほ');
    await ben.caretAfter('Composed.');
    await ben.visit.page.keyboard.press('Home');
    await ben.type('Before. ');
    await ben.saved();
    await anna.status({ revision: (await stored()).revision });
    await compose('にほん');
    expect(await anna.text()).toContain('\nComposed.にほん\n'); // what others did to this line is shown when the composition is over
    await keyboard.send('Input.insertText', { text: '日本' });
    await anna.reads('Before. Composed.日本');
    const text = await settle();
    expect(times(text, '日本')).toBe(1);
    expect(text).not.toMatch(/[にほん]/);
  });
});

describe('a bad way', () => {
  it('keeps what is done offline, and commits it once when the way is there again', async () => {
    wire.cut();
    await anna.status({ saving: 'offline' });
    await anna.addNode('offline', 'Made offline');
    await anna.labelled('offline', 'Made offline');
    await anna.caretAfter('Offline.');
    await anna.type(' Written offline.');
    await ben.caretAfter('Elsewhere.');
    await ben.type(' Written beside.');
    await ben.renameNode('orders', 'Orders, meanwhile');
    await ben.saved();
    expect(await ben.node('offline').count()).toBe(0);
    const before = (await stored()).revision;

    wire.mend();
    await ben.labelled('offline', 'Made offline');
    await anna.labelled('orders', 'Orders, meanwhile');
    const text = await settle();
    expect([times(text, 'Written offline.'), times(text, 'Written beside.')]).toEqual([1, 1]);
    expect((await stored()).revision).toBe(before + 2);
    expect(await anna.tray().count()).toBe(0);
    anna.visit.forgiveLostRequests();
  });

  it('takes up after a reload what was never sent, to the last keystroke', async () => {
    // More than once: what a page can still do when it is left at once is a matter of milliseconds.
    for (const round of [1, 2, 3]) {
      wire.cut();
      await anna.status({ saving: 'offline' });
      await anna.addNode(`reloaded-${round}`, 'Before the reload');
      await anna.caretAfter('Reload.');
      await anna.page.keyboard.type(` Typed${round}.`);
      await anna.visit.page.goto('about:blank');
      wire.mend();
      await anna.open();
      await ben.labelled(`reloaded-${round}`, 'Before the reload');
      await ben.reads(`Typed${round}.`);
    }
    await anna.keepsNothing();
    expect(await settle()).toContain('\nReload. Typed1. Typed2. Typed3.\n');
    anna.visit.forgiveLostRequests();
  });

  it('commits once what was committed without its page hearing of it, also from another tab', async () => {
    await anna.saved();
    wire.deafen();
    await anna.addNode('unheard', 'Unheard');
    await anna.caretAfter('Unheard.');
    await anna.visit.page.keyboard.insertText(' Typed unheard.'); // as one push: a second would wait for the answer
    await ben.labelled('unheard', 'Unheard');
    await ben.reads('Typed unheard.');
    await anna.status({ pending: 2 });
    const before = (await stored()).revision;

    const tab = await anna.visit.tab();
    await anna.visit.page.close();
    expect(anna.visit.complaints).toEqual([]);
    wire.mend();
    anna = await new PlainPage(tab, ben.workspace).open();
    await anna.keepsNothing();
    expect(await settle()).toContain('\nUnheard. Typed unheard.\n');
    expect((await stored()).revision).toBe(before);
  });

  it('puts what no longer fits into the tray, from where it can be applied again', async () => {
    wire.cut();
    await anna.status({ saving: 'offline' });
    await anna.renameNode('orders', 'Renamed offline');
    await anna.labelled('orders', 'Renamed offline');
    await ben.press('Delete orders');
    await ben.saved();
    wire.mend();
    await anna.tray().waitFor();
    await anna.node('orders').waitFor({ state: 'detached' });
    await anna.tray().locator('p', { hasText: 'Renamed offline' }).waitFor();

    await ben.press('Undo my last change');
    await anna.labelled('orders', 'Orders, meanwhile');
    await anna.press('Apply again');
    await ben.labelled('orders', 'Renamed offline');
    await anna.tray().waitFor({ state: 'detached' });
    await settle();
    anna.visit.forgiveLostRequests();
  });

  it('keeps the tray over a reload, until it is discarded', async () => {
    wire.cut();
    await anna.status({ saving: 'offline' });
    await anna.renameNode('orders', 'Never');
    await ben.press('Delete orders');
    await ben.saved();
    wire.mend();
    await anna.tray().waitFor();
    await anna.visit.page.reload();
    await anna.tray().locator('p', { hasText: 'Never' }).waitFor();
    await anna.press('Discard');
    await anna.tray().waitFor({ state: 'detached' });
    await anna.visit.page.reload();
    await anna.saved();
    expect(await anna.tray().count()).toBe(0);
    anna.visit.forgiveLostRequests();
  });

  it('works on through a crash of the server', async () => {
    await settle();
    await stage.kill();
    await anna.status({ saving: 'offline' });
    await ben.status({ saving: 'offline' });
    await anna.addNode('crash-anna', 'While it was down');
    await ben.caretAfter('Crash.');
    await ben.type(' While it was down.');
    await stage.restart();
    await ben.labelled('crash-anna', 'While it was down');
    await anna.reads('While it was down.');
    const text = await settle();
    expect(times(text, 'While it was down.')).toBe(1);
    anna.visit.forgiveLostRequests();
    ben.visit.forgiveLostRequests();
  });
});

describe('the assistant', () => {
  it('tells of runs and proposals as they come', async () => {
    const ask = (body: object) =>
      ben.visit.api<{ id: string }>('POST', `/workspaces/${ben.workspace}/runs`, body);
    const run = await ask({ prompt: 'add a worker called Shipping' });
    await anna.visit.page.locator(`#runs [data-run="${run.id}"][data-status="applied"]`).waitFor();
    await anna.labelled('shipping', 'Shipping');
    await ask({ prompt: 'delete Shipping', mode: 'propose' });
    await anna.visit.page.locator('#proposals [data-fit="fits"]').waitFor();
    await anna.press('Delete shipping');
    await anna.visit.page.locator('#proposals [data-fit="conflicts"]').waitFor();
  });
});

describe('the page', () => {
  it('has no serious flaw for those who do not see it as others do, in light and dark', async () => {
    expect(await axeViolations(anna.visit.page)).toEqual([]);
    expect(await axeViolations(ben.visit.page)).toEqual([]);
  });

  it('lets go of who closes it', async () => {
    const visit = await stage.person();
    await new PlainPage(visit, ben.workspace).open();
    await anna.people(3);
    await visit.context.close();
    await anna.people(2);
    await ben.visit.page.goto('about:blank');
    await anna.people(1);
  });

  it('asked no other origin for anything and left no error on the console', () => {
    for (const { visit } of [anna, ben]) {
      expect(visit.strayRequests).toEqual([]);
      expect(visit.complaints).toEqual([]);
    }
  });
});
