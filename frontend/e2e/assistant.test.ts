/** What one asks of the assistant and what becomes of it: applied, proposed, stopped, undone, answered, failed. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Person } from './actors';
import { Asker } from './assistantActor';
import { axeViolations } from './axe';
import { type Answer, diagram, documentOf, type Option, Rehearsal } from './rehearsal';
import { Stage } from './stage';

const CACHE: Answer[] = [
  {
    thinking: 'A cache belongs before the database.',
    calls: [
      diagram(
        { op: 'add_node', id: 'cache', type: 'cache', label: 'Order cache', technology: 'Redis' },
        { op: 'add_edge', source: 'api', target: 'cache', label: 'reads' },
      ),
    ],
  },
  { text: 'The API reads from a cache first.' },
];
const QUEUE: Answer[] = [
  {
    calls: [
      diagram(
        { op: 'add_node', id: 'queue', type: 'queue', label: 'Order queue' },
        { op: 'add_node', id: 'worker', type: 'worker', label: 'Worker' },
        { op: 'add_edge', source: 'queue', target: 'worker', label: 'jobs' },
      ),
      documentOf({
        op: 'edit_section',
        section: '## Mail',
        find: 'sent at once',
        replace: 'sent by a worker',
      }),
    ],
  },
  { text: 'Mails leave by a queue.' },
];

const LIMITER: Option = {
  title: 'Limiter at the edge',
  summary: 'A limiter stands between the web shop and the API.',
  gains: ['Overload ends at the edge'],
  costs: ['One more hop'],
  operations: [
    {
      op: 'insert_between',
      source: 'web',
      target: 'api',
      node: { id: 'limiter', type: 'gateway', label: 'Rate limiter' },
    },
    { op: 'append_to_section', section: '## API', text: 'A limiter stands before it.' },
  ],
};
const COUNTERS: Option = {
  title: 'Counters behind the API',
  summary: 'The API counts for itself.',
  gains: ['Nothing new in the path'],
  costs: ['Refused requests reach the API'],
  operations: [
    { op: 'add_node', id: 'counters', type: 'cache', label: 'Counters', near: 'api' },
    { op: 'add_edge', source: 'api', target: 'counters', label: 'counts' },
  ],
};

let stage: Stage;
let model: Rehearsal;
let anna: Asker;
let ben: Person;

beforeAll(async () => {
  stage = await Stage.open({ model: 'stand-in' });
  model = new Rehearsal(stage.rehearsal);
  anna = await (await Asker.come(stage, 'Anna')).open();
  ben = await (await Person.come(stage, 'Ben', anna.person.workspace)).open();
});

afterAll(async () => {
  await stage?.close();
});

/** What the API would refuse of what it was asked is a defect of ours. */
afterEach(async () => {
  expect((await model.seen()).refused).toEqual([]);
});

describe('what is asked for', () => {
  it('is applied at once, and shown where it is', async () => {
    await model.plays('Put a cache before the orders', CACHE);
    const before = (await anna.person.stored()).revision;
    const card = await anna.asks('Put a cache before the orders');
    await card.is('applied', `Applied r${before + 1}`);
    await card.says('Order cache');
    await anna.person.node('cache').waitFor();
    await ben.node('cache').waitFor();
    await anna.seesNoGhosts();
    expect(await anna.field.inputValue()).toBe('');
    await card.button('Show').click();
    await anna.person.node('cache').waitFor({ state: 'visible' });
  });

  it('becomes a preview where it deletes something, and the reason is said', async () => {
    await model.plays('Drop the mail', [
      { calls: [diagram({ op: 'delete_node', id: 'mail' })] },
      { text: 'Mail is gone.' },
    ]);
    const before = await anna.bytes();
    const card = await anna.asks('Drop the mail');
    await card.is('proposed', 'Proposed');
    await expect.poll(() => card.reason.textContent()).toMatch(/deletes 1 node/i);
    expect(await anna.bytes()).toBe(before);
    await anna.person.page.locator('.react-flow__node .is-removed').first().waitFor();
  });

  it('is discarded without a trace', async () => {
    const before = await anna.bytes();
    const card = anna.card('Drop the mail');
    await card.recordsItsStates();
    await card.button('Discard').click();
    await card.is('not-applied', 'Not applied');
    await anna.seesNoGhosts();
    await anna.page.locator('.is-removed').first().waitFor({ state: 'detached' });
    expect(await anna.bytes()).toBe(before);
  });

  it('is accepted in part, and what a part builds on comes along', async () => {
    await model.plays('Send mails by a queue', QUEUE);
    await anna.becomes('Preview');
    const card = await anna.asks('Send mails by a queue');
    await card.is('proposed', 'Proposed');
    await anna.ghostNode('queue').waitFor();
    await anna.ghostNode('worker').waitFor();
    await expect.poll(() => card.ticks()).toEqual([true, true, true, true]);

    // Without the queue there is no line from it.
    await card.tick(0).click();
    await expect.poll(() => card.ticks()).toEqual([false, true, false, true]);
    await anna.ghostNode('queue').waitFor({ state: 'detached' });
    // The line brings back both of its ends.
    await card.tick(1).click();
    await expect.poll(() => card.ticks()).toEqual([false, false, false, true]);
    await card.tick(2).click();
    await expect.poll(() => card.ticks()).toEqual([true, true, true, true]);

    await card.tick(3).click();
    await card.button('Accept 3 of 4').click();
    await card.is('applied');
    await anna.person.node('worker').waitFor();
    // What was discarded did not come up again, which would have hidden the ghosts of this one.
    expect(await anna.card('Drop the mail').recordedStates()).toEqual(['not-applied']);
    const { text, nodes } = await anna.person.stored();
    expect(text).toContain('sent at once');
    expect([...nodes.keys()]).toEqual(expect.arrayContaining(['queue', 'worker']));
    await anna.seesNoGhosts();
    await anna.becomes('Auto');
  });

  it('is stopped, and the workspace is as it was, byte for byte', async () => {
    await model.plays('Take your time', [
      {
        calls: [diagram({ op: 'add_node', id: 'slow', type: 'service', label: 'Slow' })],
      },
      { text: 'I am about to be done.', holds: 'end' },
    ]);
    const before = await anna.bytes();
    const card = await anna.asks('Take your time');
    await card.is('running');
    await model.holds();
    await anna.ghostNode('slow').waitFor();
    expect(await anna.bytes()).toBe(before);
    await anna.button('Stop').click();
    await card.is('cancelled', 'Cancelled (nothing changed)');
    await anna.seesNoGhosts();
    await expect.poll(async () => (await model.seen()).streaming).toBe(0);
    expect(await anna.bytes()).toBe(before);
  });

  it('is undone as one, and what others have edited since is left and named', async () => {
    await model.plays('Add a search', [
      {
        calls: [
          diagram(
            { op: 'add_node', id: 'search', type: 'search', label: 'Search' },
            { op: 'add_edge', source: 'api', target: 'search', label: 'indexes' },
            { op: 'update_node', id: 'orders', technology: 'PostgreSQL' },
          ),
        ],
      },
      { text: 'Orders can be searched.' },
    ]);
    const card = await anna.asks('Add a search');
    await card.is('applied');
    await ben.batch({ op: 'update_node', id: 'orders', technology: 'PostgreSQL 18' });
    await anna.person.says({ revision: (await ben.stored()).revision });
    await card.button('Undo all 3').click();
    await card.is('partly-undone', /Partly undone 2 of 3/);
    await anna.person.node('search').waitFor({ state: 'detached' });
    await card.says(/Orders/);
    const { technology } = (await anna.person.stored()).nodes.get('orders') as unknown as {
      technology: string;
    };
    expect(technology).toBe('PostgreSQL 18');
  });

  it('is undone as a whole where nobody came between', async () => {
    await model.plays('Add a monitor', [
      { calls: [diagram({ op: 'add_node', id: 'watch', type: 'monitoring', label: 'Monitor' })] },
      { text: 'Somebody watches.' },
    ]);
    const card = await anna.asks('Add a monitor');
    await card.is('applied');
    await anna.person.node('watch').waitFor();
    await card.button(/^Undo all/).click();
    await card.is('undone', 'Undone');
    await anna.person.node('watch').waitFor({ state: 'detached' });
  });
});

describe('what stands in the way', () => {
  it('is said of a proposal as soon as somebody types into what it changes; the rest can be accepted', async () => {
    await model.plays('Say who sends mails', [
      {
        calls: [
          documentOf(
            {
              op: 'edit_section',
              section: '## Mail',
              find: 'Mails are sent',
              replace: 'The worker sends them',
            },
            { op: 'append_to_section', section: '## Storage', text: 'Backups are taken every night.' },
          ),
        ],
      },
      { text: 'Said.' },
    ]);
    await anna.becomes('Preview');
    const card = await anna.asks('Say who sends mails');
    await card.is('proposed');
    await anna.page.locator('.ghost-removed').first().waitFor();
    // In the middle of the words that the proposal takes away.
    await ben.caretAfter('Mails are sent at once.');
    await ben.key('Home');
    for (const _ of 'Mails') await ben.key('ArrowRight');
    await ben.type(' and letters');
    await ben.saved();
    await anna.person.reads('Mails and letters are sent');
    await card.says(/no longer fits|clashes|changed since|overtaken/i);
    await expect.poll(() => card.ticks()).toEqual([false, true]);
    await card.button('Accept 1 of 2').click();
    await card.is('applied');
    const { text } = await anna.person.stored();
    expect(text).toContain('Mails and letters are sent at once.');
    expect(text).toContain('Backups are taken every night.');
    await anna.becomes('Auto');
  });

  it('a provider that fails midway changes nothing, is named, and can be tried again', async () => {
    await model.plays(
      'Describe the storage',
      [
        { calls: [diagram({ op: 'update_node', id: 'web', technology: 'React' })] },
        { text: 'Now to what comes of it all.', breaks: 'cut' },
      ],
      [
        { calls: [diagram({ op: 'update_node', id: 'web', technology: 'React' })] },
        { text: 'The web shop is written with React.' },
      ],
    );
    const before = await anna.bytes();
    const card = await anna.asks('Describe the storage');
    await card.is('not-applied', 'Not applied');
    expect(await card.reason.textContent()).toMatch(/connection|network|reach/i);
    await anna.seesNoGhosts();
    expect(await anna.bytes()).toBe(before);
    await card.button('Try again').click();
    await anna.card('Describe the storage').is('applied');
    expect(await anna.cards.filter({ hasText: 'Describe the storage' }).count()).toBe(2);
  });

  it('what did not fit at first folds open, below what came of it', async () => {
    await model.plays('Write the API with Go', [
      { calls: [diagram({ op: 'update_node', id: 'apy', technology: 'Go' })] },
      { calls: [diagram({ op: 'update_node', id: 'api', technology: 'Go' })] },
      { text: 'The API is written with Go.' },
    ]);
    const card = await anna.asks('Write the API with Go');
    await card.is('applied');
    const repaired = card.box.locator('details.card-repaired');
    expect(await repaired.getAttribute('open')).toBeNull();
    await repaired.locator('summary').click();
    await repaired.getByText(/apy/).first().waitFor();
  });

  it('what the model declines is said in its own words, and nothing else is tried', async () => {
    await model.plays('Do harm', [{ text: 'I would rather not.', declines: true }]);
    const before = await anna.bytes();
    const card = await anna.asks('Do harm');
    await card.is('not-applied', 'Not applied');
    expect(await card.reason.textContent()).toMatch(/declined/i);
    expect(await anna.bytes()).toBe(before);
  });
});

describe('a question', () => {
  it('is answered and changes nothing', async () => {
    await model.plays('What calls the API?', [{ text: 'The **Web shop** calls it.' }]);
    const before = await anna.bytes();
    await anna.chooses('Ask');
    const card = await anna.asks('What calls the API?');
    await card.is('answered', 'Answered');
    await card.box.locator('strong').getByText('Web shop').waitFor();
    expect(await card.button(/^Undo all/).count()).toBe(0);
    expect(await anna.bytes()).toBe(before);
    await anna.chooses('Edit');
  });
});

it('left no error on the console and asked nobody else', () => {
  for (const { complaints, strayRequests } of [anna.person.visit, ben.visit]) {
    // What the page tries of a proposal that others have overtaken the server refuses; the browser notes that by itself.
    expect(complaints.filter((one) => !/status of 409/.test(one))).toEqual([]);
    expect(strayRequests).toEqual([]);
  }
});

describe('a recommendation', () => {
  const need = 'We need rate limiting';
  const alternative = (asker: Asker, title: string) =>
    asker.card(need).box.getByRole('region', { name: title, exact: true });

  it('has alternatives with both sides, previewed one at a time, the same after a reload and for others', async () => {
    await model.plays(need, [
      { calls: [['search_patterns', { text: 'rate limiting' }]] },
      {
        calls: [
          ['propose_option', LIMITER],
          ['propose_option', COUNTERS],
        ],
      },
      { text: 'Take the limiter, unless the API is alone.' },
    ]);
    const before = await anna.bytes();
    await anna.chooses('Recommend');
    expect(await anna.panel.getByLabel('What becomes of changes').count()).toBe(0);
    await (await anna.asks(need)).is('proposed', 'Choose one of 2');
    await alternative(anna, LIMITER.title).getByText('Overload ends at the edge').waitFor();
    await alternative(anna, COUNTERS.title).getByText('Refused requests reach the API').waitFor();
    await anna.ghostNode('limiter').waitFor();
    const preview = alternative(anna, COUNTERS.title).getByRole('button', { name: 'Preview' });
    await preview.waitFor();
    expect(await anna.ghostNode('counters').count()).toBe(0);
    await preview.click();
    await anna.ghostNode('counters').waitFor();
    await anna.ghostNode('limiter').waitFor({ state: 'detached' });
    expect(await axeViolations(anna.page)).toEqual([]);
    expect(await anna.bytes()).toBe(before);
    await anna.reload();
    await anna.card(need).is('proposed', 'Choose one of 2');
    await alternative(anna, LIMITER.title).getByRole('button', { name: 'Accept this one' }).waitFor();
    await ben.page.locator('.proposal-notice').getByRole('button', { name: 'Open' }).click();
    await new Asker(ben).card('Limiter at the edge').is('proposed', 'Choose one of 2');
  });

  it('is decided by accepting one, which withdraws the other everywhere, and is one step to undo', async () => {
    const revision = async () => (await anna.person.stored()).revision;
    const before = await revision();
    const bens = new Asker(ben).card('Limiter at the edge');
    await bens.box
      .getByRole('region', { name: LIMITER.title, exact: true })
      .getByRole('button', { name: 'Accept this one' })
      .press('Enter');
    await ben.labelled('limiter', 'Rate limiter');
    for (const card of [bens, anna.card(need)]) {
      await card.is('decided', 'Decided');
      await card.box
        .getByRole('region', { name: COUNTERS.title, exact: true })
        .getByText('Not chosen · Another alternative was accepted.')
        .waitFor();
      await card.box
        .getByRole('region', { name: LIMITER.title, exact: true })
        .getByText(/^Applied r\d+/)
        .waitFor();
      expect(await card.button('Accept this one').count()).toBe(0);
    }
    await anna.seesNoGhosts();
    expect(await revision()).toBe(before + 1);
    await alternative(anna, LIMITER.title)
      .getByRole('button', { name: /^Undo all/ })
      .click();
    await anna.person.node('limiter').waitFor({ state: 'detached' });
    await alternative(anna, LIMITER.title).getByText('Undone').waitFor();
    expect(await revision()).toBe(before + 2);
    await anna.chooses('Edit');
  });
});
