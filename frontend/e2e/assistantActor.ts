/**
 * Somebody with the assistant's panel open: what they ask, what the cards say, which ghosts they see. Every word waits for
 * a state. Not here: what the model answers (`rehearsal.ts`), the rest of the page (`actors.ts`).
 */
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { makeWorkspace, Person, type Scene } from './actors';
import type { Stage } from './stage';
import { TIMEOUT_MS } from './timeout';

export type CardState =
  | 'running'
  | 'applied'
  | 'proposed'
  | 'not-applied'
  | 'cancelled'
  | 'undone'
  | 'partly-undone'
  | 'answered'
  | 'decided';

export type Becoming = 'Auto' | 'Apply' | 'Preview';

/**
 * A small system with something for each purpose; short enough to be drawn whole. Its places are given: what is added
 * finds room beside it, so that a change is what was asked for and nothing that has moved aside.
 */
export const SHOP: Scene = {
  text: [
    '# Orders',
    'How orders flow.',
    '## API',
    'The API takes orders.',
    '## Storage',
    'Orders are kept in one database.',
    '## Mail',
    'Mails are sent at once.',
    '',
  ].join('\n\n'),
  nodes: [
    { id: 'web', type: 'web', label: 'Web shop', position: { x: 0, y: 12 } },
    { id: 'api', type: 'api', label: 'API', position: { x: 262, y: 12 } },
    { id: 'orders', type: 'database', label: 'Orders', position: { x: 526, y: 112 } },
    { id: 'mail', type: 'external', label: 'Mail', position: { x: 503, y: 0 } },
  ],
  edges: [
    { source: 'web', target: 'api', label: 'requests' },
    { source: 'api', target: 'orders', label: 'stores' },
    { source: 'api', target: 'mail', label: 'sends' },
  ],
};

/** One request in the conversation. */
export class Card {
  constructor(
    private readonly cards: Locator,
    /** The words of the request, which stand on the card. */
    readonly request: string,
  ) {}

  /** The card of the newest request with these words. */
  get box(): Locator {
    return this.cards.filter({ hasText: this.request }).last();
  }

  /** Wait until the card is in a state, and says so with these words. */
  async is(state: CardState, words?: string | RegExp): Promise<this> {
    await expect
      .poll(() => this.box.getAttribute('data-state'), { timeout: TIMEOUT_MS, message: this.request })
      .toBe(state);
    if (words) await this.box.locator('.card-state').getByText(words).first().waitFor();
    return this;
  }

  /** Record the states that the card goes through from now on; `recordedStates` has them. */
  async recordsItsStates(): Promise<void> {
    await this.box.evaluate((box) => {
      const seen: (string | null)[] = [];
      Object.assign(box, { seen });
      const look = () => seen.push(box.getAttribute('data-state'));
      new MutationObserver(look).observe(box, { attributeFilter: ['data-state'] });
    });
  }

  recordedStates(): Promise<(string | null)[]> {
    return this.box.evaluate((box) => (box as unknown as { seen: (string | null)[] }).seen);
  }

  async says(words: string | RegExp): Promise<void> {
    await this.box.getByText(words).first().waitFor();
  }

  get reason(): Locator {
    return this.box.locator('.card-reason').first();
  }

  button(name: string | RegExp): Locator {
    return this.box.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });
  }

  operation(index: number): Locator {
    return this.box.locator(`.card-operation[data-index="${index}"]`);
  }

  tick(index: number): Locator {
    return this.operation(index).getByRole('checkbox');
  }

  /** Which operations are ticked. */
  async ticks(): Promise<boolean[]> {
    const boxes = this.box.locator('.card-operation').getByRole('checkbox');
    await boxes.first().waitFor();
    return boxes.evaluateAll((all) => all.map((box) => (box as HTMLInputElement).checked));
  }
}

/** A person with the panel. */
export class Asker {
  constructor(readonly person: Person) {}

  /** Somebody with a name at a page of a new workspace, or of one that is there. */
  static async come(stage: Stage, name: string, workspace?: string): Promise<Asker> {
    const person = await Person.come(stage, name, workspace ?? '');
    const at = workspace ?? (await makeWorkspace(person.visit, SHOP));
    return new Asker(await new Person(person.visit, at).open());
  }

  get page() {
    return this.person.page;
  }

  get panel(): Locator {
    return this.page.locator('aside[aria-label="Assistant"]');
  }

  get field(): Locator {
    return this.panel.getByRole('textbox', { name: 'Ask the assistant' });
  }

  get cards(): Locator {
    return this.panel.locator('article.assistant-card');
  }

  /** The same person at one more page, with the panel open. */
  async tab(): Promise<Asker> {
    return new Asker(await this.person.tab()).open();
  }

  async reload(): Promise<void> {
    await this.person.reload();
    await this.open();
  }

  /** Open the panel, with the keyboard in it. */
  async open(): Promise<this> {
    // Which panel is open is remembered; the same key would close this one.
    const isOpen = await this.page.evaluate(() => localStorage.getItem('draftsmith.panel') === 'assistant');
    if (!isOpen) await this.page.keyboard.press('Control+j');
    await this.field.waitFor();
    return this;
  }

  button(name: string | RegExp): Locator {
    return this.panel.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });
  }

  async becomes(becoming: Becoming): Promise<void> {
    await this.panel.getByLabel('What becomes of changes').selectOption({ label: becoming });
  }

  async chooses(workflow: 'Edit' | 'Ask' | 'Investigate' | 'Recommend'): Promise<void> {
    const choice = this.panel.getByRole('radiogroup', { name: 'What to do' });
    // By its words: the radio itself may be hidden beneath them.
    await choice.getByText(workflow, { exact: true }).click();
    await expect.poll(() => choice.getByRole('radio', { name: workflow }).isChecked()).toBe(true);
  }

  /** Send a request; what has been written goes from the field. */
  async asks(request: string): Promise<Card> {
    await this.field.fill(request);
    await this.button('Send').click();
    return this.card(request);
  }

  card(request: string): Card {
    return new Card(this.cards, request);
  }

  // -- ghosts --------------------------------------------------------------------------------------------------------

  ghostNode(id: string): Locator {
    return this.page.locator(`.ghost-node[data-id="${id}"]`);
  }

  ghostEdge(id: string): Locator {
    return this.page.locator(`.ghost-edge[data-id="${id}"]`);
  }

  get ghosts(): Locator {
    return this.page.locator('.ghost-node, .ghost-edge, .ghost-added, .ghost-removed');
  }

  /** Wait until nothing is shown that is not there. */
  async seesNoGhosts(): Promise<void> {
    await expect.poll(() => this.ghosts.count()).toBe(0);
  }

  // -- the server ----------------------------------------------------------------------------------------------------

  /** All that the server holds of the workspace, letter by letter. */
  async bytes(): Promise<string> {
    const { workspace, visit } = this.person;
    return JSON.stringify(await visit.api('GET', `/workspaces/${workspace}`));
  }
}
