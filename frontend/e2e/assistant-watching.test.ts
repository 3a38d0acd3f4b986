/** Requests that go on, as several pages see them; what is kept of a conversation; all of it with the keyboard alone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Person } from './actors';
import { Asker } from './assistantActor';
import { type Answer, diagram, documentOf, Rehearsal } from './rehearsal';
import { Stage } from './stage';

/** Everything is prepared, and the end of it waits to be let go. */
const held = (said: string, ...calls: NonNullable<Answer['calls']>): Answer[] => [
  { thinking: 'Let me see.', calls },
  { text: said, holds: 'end' },
];

let stage: Stage;
let model: Rehearsal;
let anna: Asker;
let second: Asker;
let ben: Asker;

beforeAll(async () => {
  stage = await Stage.open({ model: 'stand-in' });
  model = new Rehearsal(stage.rehearsal);
  anna = await (await Asker.come(stage, 'Anna')).open();
  second = await anna.tab();
  // A page behind another draws seldom, and what is about to be clicked comes to rest late.
  await anna.page.bringToFront();
  ben = new Asker(await (await Person.come(stage, 'Ben', anna.person.workspace)).open());
});

afterAll(async () => {
  await stage?.close();
});

describe('a request that goes on', () => {
  const request = 'Put a cache before the orders';

  it('is seen at both pages of who asked, with what it prepares', async () => {
    await model.plays(
      request,
      held(
        'The API reads from a cache first.',
        diagram(
          { op: 'add_node', id: 'cache', type: 'cache', label: 'Order cache' },
          { op: 'add_edge', source: 'api', target: 'cache', label: 'reads' },
        ),
        documentOf({ op: 'append_to_section', section: '## Storage', text: 'A cache stands before it.' }),
      ),
    );
    await anna.asks(request);
    await model.holds();
    for (const page of [anna, second]) {
      await page.card(request).is('running');
      await page.ghostNode('cache').waitFor();
      // A straight line has no area: to the browser's driver it is hidden.
      await page.ghostEdge('api--cache').waitFor({ state: 'attached' });
      await page.page.locator('.ghost-added').first().waitFor();
      await page.card(request).says('Order cache');
    }
    expect((await anna.person.stored()).nodes.has('cache')).toBe(false);
  });

  it('shows others that the assistant is at work for her, and none of it', async () => {
    await ben.page
      .getByLabel(/Assistant · for Anna/)
      .first()
      .waitFor();
    expect(await ben.ghosts.count()).toBe(0);
    await ben.open();
    await ben.cards.filter({ hasText: 'Anna is asking the assistant…' }).waitFor();
    expect(await ben.cards.filter({ hasText: request }).count()).toBe(0);
  });

  it('goes on while its page is loaded anew, and is there again', async () => {
    await anna.reload();
    await anna.card(request).is('running');
    await anna.ghostNode('cache').waitFor();
    await anna.button('Stop').waitFor();
  });

  it('can be stopped once more where the server could not be told', async () => {
    await anna.page.route('**/cancel', (route) => route.abort('connectionfailed'));
    const stop = anna.card(request).button('Stop this request');
    await stop.click();
    await anna.page.locator('.toast.bad').waitFor();
    await expect.poll(() => stop.isEnabled()).toBe(true);
    await anna.page.unroute('**/cancel');
    await anna.card(request).is('running');
    anna.person.visit.forgiveLostRequests();
  });

  it('ends at all of them', async () => {
    await model.letGo();
    for (const page of [anna, second, ben]) {
      await page.person.node('cache').waitFor();
      await page.seesNoGhosts();
      await page.card(request).is('applied');
    }
    await anna.card(request).says('The API reads from a cache first.');
  });
});

describe('a proposal', () => {
  const request = 'Drop the mail';

  it('is named to others, who may open it and say yes', async () => {
    await model.plays(request, [
      {
        calls: [
          diagram(
            { op: 'delete_node', id: 'mail' },
            { op: 'add_node', id: 'post', type: 'service', label: 'Post' },
          ),
        ],
      },
      { text: 'Mail is gone.' },
    ]);
    await ben.panel.getByRole('button', { name: 'Close panel' }).click();
    const card = await anna.asks(request);
    await card.is('proposed');
    await anna.ghostNode('post').waitFor();
    const notice = ben.page.locator('.proposal-notice[data-proposal]');
    await notice.getByText('Proposal by Anna (2)').waitFor();
    expect(await ben.ghosts.count()).toBe(0);
    await notice.getByRole('button', { name: 'Open' }).click();
    await ben.ghostNode('post').waitFor();
    await ben.card(request).button('Accept all 2').click();
    for (const page of [anna, second, ben]) {
      await page.card(request).is('applied');
      await page.person.node('mail').waitFor({ state: 'detached' });
      await page.seesNoGhosts();
    }
    await notice.waitFor({ state: 'detached' });
  });
});

describe('the conversation', () => {
  it('is there again after a reload', async () => {
    await anna.reload();
    await anna.card('Put a cache before the orders').is('applied');
    await anna.card('Drop the mail').is('applied');
  });

  it('is cleared without touching the workspace', async () => {
    const before = await anna.bytes();
    await anna.button('More about the assistant').click();
    await anna.page.getByRole('menuitem', { name: 'Clear the conversation…' }).click();
    await anna.page.getByRole('button', { name: 'Clear the conversation', exact: true }).click();
    await expect.poll(() => anna.cards.count()).toBe(0);
    await anna.reload();
    await anna.panel.locator('.conversation-empty').waitFor();
    expect(await anna.cards.count()).toBe(0);
    expect(await anna.bytes()).toBe(before);
  });
});

describe('with the keyboard alone', () => {
  const request = 'Add a log';

  const hasField = () => anna.field.evaluate((field) => field === document.activeElement);

  const focused = () =>
    anna.page.evaluate(() => {
      const at = document.activeElement as HTMLElement;
      return at.getAttribute('aria-label') || at.textContent || '';
    });

  /** Go on from one place to the next until that has the keyboard. It must be near. */
  async function goTo(name: RegExp, key: 'Tab' | 'Shift+Tab'): Promise<void> {
    for (let count = 0; !name.test(await focused()); count += 1) {
      expect(count, `${key} to ${name}, at "${await focused()}"`).toBeLessThan(12);
      await anna.person.key(key);
    }
  }

  it('one opens the panel, asks, accepts, and undoes', async () => {
    await model.plays(request, [
      { calls: [diagram({ op: 'add_node', id: 'log', type: 'monitoring', label: 'Log' })] },
      { text: 'There is a log.' },
    ]);
    await anna.becomes('Preview');
    await anna.panel.getByRole('button', { name: 'Close panel' }).click();
    await anna.panel.waitFor({ state: 'detached' });
    await anna.person.key('Control+j');
    await expect.poll(hasField).toBe(true);
    await anna.person.type(request);
    await anna.person.key('Enter');
    const card = anna.card(request);
    await card.is('proposed');
    await card.button(/^Accept/).waitFor();
    await goTo(/^Accept/, 'Shift+Tab');
    await anna.person.key('Enter');
    await card.is('applied');
    await anna.person.node('log').waitFor();
    // The keyboard stays at the card, though the button is gone.
    expect(await card.box.evaluate((box) => box.contains(document.activeElement))).toBe(true);
    await goTo(/^Undo all/, 'Tab');
    await anna.person.key('Enter');
    await card.is('undone');
    await anna.person.node('log').waitFor({ state: 'detached' });
    // Back to the field from wherever one is, and from there out of the panel.
    await anna.person.key('Control+j');
    await expect.poll(hasField).toBe(true);
    await anna.person.key('Control+j');
    await anna.panel.waitFor({ state: 'detached' });
  });
});

it('left no error on the console and asked nobody else', async () => {
  for (const { complaints, strayRequests } of [anna, second, ben].map(({ person }) => person.visit)) {
    expect(complaints).toEqual([]);
    expect(strayRequests).toEqual([]);
  }
  expect((await model.seen()).refused).toEqual([]);
});
