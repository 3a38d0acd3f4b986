/** What the cards say of requests that did not go as wanted, and what one can say of them; a stand-in for a model. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Asker, type Card } from './assistantActor';
import { axeViolations } from './axe';
import { diagram, documentOf, Rehearsal } from './rehearsal';
import { Stage } from './stage';

let stage: Stage;
let model: Rehearsal;
let anna: Asker;

beforeAll(async () => {
  stage = await Stage.open({ model: 'stand-in', isRecording: true });
  model = new Rehearsal(stage.rehearsal);
  anna = await (await Asker.come(stage, 'Anna')).open();
});

afterAll(() => stage?.close());

const NOWHERE = documentOf({ op: 'append_to_section', section: '## Backups', text: 'Every night.' });
/** How long a call took, which is said where it was long. */
const TOOK = /\d+\.\d s/;
const said = (card: Card) => card.box.locator('.card-claim');
const notDone = (card: Card) => card.box.locator('.card-refused');

/** The run of the newest request with these words, as the server has it. */
async function stored(request: string): Promise<Record<string, unknown>> {
  const { visit, workspace } = anna.person;
  const { items } = await visit.api<{ items: Record<string, unknown>[] }>(
    'GET',
    `/workspaces/${workspace}/runs?limit=50`,
  );
  return items.find(({ prompt }) => prompt === request) ?? {};
}

describe('what was refused and never corrected', () => {
  const request = 'Write the API with Go, and say how we back up';

  it('is applied in part, and says so above what the model claims', async () => {
    await model.plays(request, [
      { calls: [['find_nodes', { query: 'API' }]] },
      { calls: [diagram({ op: 'update_node', id: 'api', technology: 'Go' }), NOWHERE] },
      { text: 'Both are done.' },
    ]);
    const card = await (await anna.asks(request)).is('applied', /^Applied r\d+ · 1 of 2 parts$/);
    await notDone(card).getByText('A change of the document (1 operation) did not fit').waitFor();
    await notDone(card)
      .getByText(/Backups/)
      .first()
      .waitFor();
    await said(card).getByText('The assistant said').waitFor();
    await said(card).locator('blockquote').getByText('Both are done.').waitFor();
    // What is true stands above what is claimed. All at one moment: the list scrolls with what grows in it.
    const places = await card.box.locator('.card-state, .card-refused, .card-claim').evaluateAll((parts) =>
      parts
        .map((part) => ({ part: part.className, y: part.getBoundingClientRect().y }))
        .sort((one, other) => one.y - other.y)
        .map(({ part }) => part),
    );
    expect(places).toEqual(['card-state', 'card-refused', 'card-claim']);
    expect(await card.box.locator('.card-repaired').count()).toBe(0);
    expect(await axeViolations(anna.page)).toEqual([]);
  });

  it('unfolds what it did, call by call, by keyboard', async () => {
    const card = anna.card(request);
    const fold = card.box.locator('.card-calls');
    await fold.locator('> summary').focus();
    await anna.page.keyboard.press('Enter');
    const calls = fold.locator('li');
    await expect
      .poll(async () =>
        (await calls.allTextContents()).map((words) => words.split('Tool')[0]?.replace(TOOK, '')),
      )
      .toEqual(['Looked for nodes', 'Changed the diagram', 'Tried to change the documentrefused']);
    await anna.page.keyboard.press('Tab');
    await anna.page.keyboard.press('Enter');
    await calls.first().getByText('find_nodes').waitFor();
    await calls.first().getByText('"query":"API"').waitFor();
    expect(await axeViolations(anna.page)).toEqual([]);
  });

  it('is answered and nothing changed, whatever the model claims', async () => {
    await model.plays('Say how we back up', [{ calls: [NOWHERE] }, { text: 'Done: it is described.' }]);
    const before = await anna.bytes();
    const card = await anna.asks('Say how we back up');
    await card.is('answered', 'Answered · nothing changed');
    await notDone(card).waitFor();
    await said(card).getByText('Done: it is described.').waitFor();
    expect(await card.button(/^Undo all/).count()).toBe(0);
    expect(await anna.bytes()).toBe(before);
  });
});

describe('a request of which three batches did not fit', () => {
  const request = 'Describe the night';

  it('is written anew as a whole when somebody wants that, and not before', async () => {
    const { text } = await anna.person.stored();
    const night = text.replace('Mails are sent at once.', 'Mails are sent at night.');
    await model.plays(
      request,
      [{ calls: [NOWHERE] }],
      [{ calls: [['rewrite_document', { text: night }]] }, { text: 'The night is described.' }],
    );
    const card = await (await anna.asks(request)).is('not-applied', 'Not applied');
    await card.says(/write the whole diagram or document anew/);
    expect((await anna.person.stored()).text).toBe(text);
    await card.button('Write it anew as a whole').focus();
    await anna.page.keyboard.press('Enter');
    const whole = await anna.card(request).is('proposed');
    await whole.button('Accept').click();
    await whole.is('applied');
    await anna.person.reads('Mails are sent at night.');
    await whole.says(/written anew as a whole/);
    expect(await stored(request)).toMatchObject({ prompt: request, mode: 'auto', edit_mode: 'regenerate' });
    expect(await anna.cards.filter({ hasText: request }).count()).toBe(2);
  });
});

describe('a stream that breaks', () => {
  it('is tried again, without what it had shown', async () => {
    const request = 'Add what watches it all';
    await model.plays(
      request,
      [{ text: 'Let me see what there is to be watched.', breaks: 'cut' }],
      [
        {
          calls: [diagram({ op: 'add_node', id: 'watch', type: 'monitoring', label: 'Monitor' })],
          holds: 'start',
        },
        { text: 'Somebody watches.' },
      ],
    );
    const card = await anna.asks(request);
    await model.holds();
    await card.says('The connection broke; trying again…');
    expect(await card.box.getByText('Let me see').count()).toBe(0);
    await model.letGo();
    await card.is('applied');
    await anna.person.node('watch').waitFor();
    expect(await card.box.getByText('Let me see').count()).toBe(0);
  });
});

describe('what somebody thinks of a request', () => {
  const request = 'Add what watches it all';
  const thumb = (name: string) => anna.card(request).box.getByRole('button', { name, exact: true });
  const rating = async () => (await stored(request)).rating;

  it('is said by one key, kept, and taken back', async () => {
    await thumb('This helped').focus();
    await anna.page.keyboard.press('Space');
    await expect.poll(() => thumb('This helped').getAttribute('aria-pressed')).toBe('true');
    await expect.poll(rating).toBe('up');
    await thumb('This did not help').click();
    await expect.poll(rating).toBe('down');
    await expect.poll(() => thumb('This helped').getAttribute('aria-pressed')).toBe('false');
    expect(await axeViolations(anna.page)).toEqual([]);
    await anna.reload();
    await expect.poll(() => thumb('This did not help').getAttribute('aria-pressed')).toBe('true');
    await thumb('This did not help').click();
    await expect.poll(rating).toBeNull();
    await expect.poll(() => thumb('This did not help').getAttribute('aria-pressed')).toBe('false');
  });
});

describe('the settings', () => {
  const dialog = () => anna.page.getByRole('dialog', { name: 'Settings' });

  it('say how models edit here, and how the day went', async () => {
    const { visit, workspace } = anna.person;
    const address = `/workspaces/${workspace}`;
    // Ten batches are needed before a share of them says anything.
    for (const _ of [1, 2, 3]) {
      const { id } = await visit.api<{ id: string }>('POST', `${address}/runs`, {
        prompt: 'Say how we back up',
      });
      await expect
        .poll(async () => (await visit.api<{ status: string }>('GET', `${address}/runs/${id}`)).status)
        .toBe('answered');
    }
    await anna.page.keyboard.press('Control+Comma');
    await dialog()
      .getByRole('alert')
      .getByText(/^Today more went wrong than should: \d+ of \d+ batches of changes did not fit \(\d+ %\)/)
      .waitFor();
    await dialog().getByText('Most often: The document has no such section.').waitFor();
    const numbers = dialog().locator('.setting-numbers');
    for (const name of ['Requests', 'Batches of changes', 'Written anew as a whole', 'Tokens sent'])
      await numbers.getByText(name, { exact: true }).waitFor();
    await dialog()
      .getByText(/^Requests are being recorded until/)
      .waitFor();
    const editMode = async () =>
      (await visit.api<{ edit_mode: string | null }>('GET', `${address}/assistant`)).edit_mode;
    await dialog().getByRole('radio', { name: 'Anew as a whole' }).click();
    await expect.poll(editMode).toBe('regenerate');
    await dialog()
      .getByText(/writes the whole diagram or document each time/)
      .waitFor();
    expect(await axeViolations(anna.page)).toEqual([]);
    await anna.reload();
    await anna.page.keyboard.press('Control+Comma');
    await expect.poll(() => dialog().getByRole('radio', { name: 'Anew as a whole' }).isChecked()).toBe(true);
    await dialog().getByRole('radio', { name: 'As the server is set' }).click();
    await expect.poll(editMode).toBeNull();
    await anna.page.keyboard.press('Escape');
  });

  it('are not needed to know that requests are recorded: the panel says so', async () => {
    await anna.panel.getByText(/^Requests are being recorded until/).waitFor();
  });
});

it('left no error on the console and asked nobody else', () => {
  const { complaints, strayRequests } = anna.person.visit;
  expect(complaints).toEqual([]);
  expect(strayRequests).toEqual([]);
});
