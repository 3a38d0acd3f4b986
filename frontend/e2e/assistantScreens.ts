/** The screens of the assistant and how they are brought up. Not here: what is looked for in them (`look.ts`). */
import { Person } from './actors';
import { Asker } from './assistantActor';
import { diagram, documentOf, type Rehearsal } from './rehearsal';
import { openSample, type Scene, type Screen } from './screens';

/** What is prepared where ghosts are shown: something of each kind, in the diagram and in the document. */
const MANY_CHANGES = [
  diagram(
    { op: 'add_node', id: 'fraud', type: 'ml_model', label: 'Fraud score', parent: 'services' },
    { op: 'add_edge', source: 'checkout', target: 'fraud', label: 'Score before payment' },
    { op: 'update_node', id: 'pricing', technology: 'Rust', label: 'Pricing and taxes' },
    { op: 'delete_node', id: 'telemetry' },
  ),
  documentOf(
    {
      op: 'edit_section',
      section: '## Summary',
      find: 'becomes six services',
      replace: 'becomes seven services',
    },
    {
      op: 'append_to_section',
      section: '## Summary',
      text: 'What an order risks is scored before it is paid.',
    },
  ),
];

async function asker(scene: Scene, view: 'diagram' | 'split' = 'split'): Promise<Asker> {
  await openSample(scene, view, 'assistant');
  return new Asker(new Person(scene.visit, scene.sample)).open();
}

/** Somebody who has asked nothing yet. */
async function newcomer(scene: Scene): Promise<void> {
  const anna = await asker(scene);
  await anna.panel.locator('.conversation-empty').waitFor();
}

const modelOf = ({ model }: Scene): Rehearsal => {
  if (!model) throw new Error('This screen needs a stand-in for a model');
  return model;
};

/** While no key has been entered. */
export const COMMAND_SCREENS: readonly Screen[] = [
  { name: 'commands-empty', open: newcomer },
  {
    name: 'commands-completions',
    open: async (scene) => {
      const anna = await asker(scene);
      await anna.field.click();
      await anna.person.type('rename ');
      await anna.page.getByRole('listbox', { name: 'Completions' }).getByRole('option').first().waitFor();
    },
  },
  {
    name: 'commands-refusal',
    open: async (scene) => {
      const anna = await asker(scene);
      await (await anna.asks('rename Chekout to Till')).is('not-applied');
      await (await anna.asks('Please think about how this could scale')).is('not-applied');
    },
  },
  {
    name: 'connect-model',
    open: async (scene) => {
      const anna = await asker(scene);
      await anna.panel.locator('.who-answers').getByRole('button', { name: 'Connect a model' }).click();
      await anna.page.getByRole('dialog', { name: 'Connect a model' }).getByLabel('API key').waitFor();
    },
  },
];

/** Once a model answers. Each leaves its card to the next. */
export const ASSISTANT_SCREENS: readonly Screen[] = [
  { name: 'assistant-empty', open: newcomer },
  {
    name: 'assistant-running',
    open: async (scene) => {
      const anna = await asker(scene);
      await modelOf(scene).plays('Score every order for fraud before it is paid', [
        { thinking: 'Scoring belongs between reserving stock and paying.', calls: MANY_CHANGES },
        { text: 'Orders are scored before they are paid.', holds: 'end' },
      ]);
      await anna.asks('Score every order for fraud before it is paid');
      await modelOf(scene).holds();
      await anna.ghostNode('fraud').waitFor();
      await anna.card('Score every order').says('Fraud score');
    },
    close: async (scene) => {
      await modelOf(scene).letGo();
      await new Asker(new Person(scene.visit, scene.sample)).card('Score every order').is('proposed');
    },
  },
  {
    name: 'assistant-proposal',
    open: async (scene) => {
      const anna = await asker(scene);
      await anna.card('Score every order').is('proposed');
      await anna.ghostNode('fraud').waitFor();
    },
  },
  {
    name: 'assistant-proposal-diagram',
    open: async (scene) => {
      const anna = await asker(scene, 'diagram');
      await anna.card('Score every order').is('proposed');
      await anna.ghostNode('fraud').waitFor();
    },
  },
  {
    name: 'assistant-notice',
    open: async (scene) => {
      await openSample(scene, 'split');
      const ben = new Asker(await new Person(scene.other, scene.sample).open());
      await modelOf(scene).plays('Name the queue', [
        { calls: [diagram({ op: 'update_node', id: 'event-stream', label: 'Event log' })] },
        { text: 'Named.' },
      ]);
      await ben.open();
      await ben.becomes('Preview');
      await (await ben.asks('Name the queue')).is('proposed');
      await scene.page.locator('.proposal-notice').getByText('Proposal by Ben (1)').waitFor();
    },
    close: async ({ other, sample }) => {
      await new Asker(new Person(other, sample)).card('Name the queue').button('Discard').click();
    },
  },
  {
    name: 'assistant-cards',
    open: async (scene) => {
      const model = modelOf(scene);
      const anna = await asker(scene);
      await model.plays('Write Cart with Go', [
        { calls: [diagram({ op: 'update_node', id: 'cartt', technology: 'Go' })] },
        { calls: [diagram({ op: 'update_node', id: 'cart', technology: 'Go' })] },
        { text: 'Cart is written with Go.' },
      ]);
      await model.plays('Describe it all anew', [{ text: 'Let me read what there is.', breaks: 'cut' }]);
      await model.plays('What calls Orders?', [
        {
          text: 'Two parts do:\n\n- **Checkout** creates orders,\n- the **API gateway** asks for their status.',
        },
      ]);
      const applied = await (await anna.asks('Write Cart with Go')).is('applied');
      await applied.box.locator('details.card-repaired summary').click();
      await (await anna.asks('Describe it all anew')).is('not-applied');
      await anna.chooses('Ask');
      await (await anna.asks('What calls Orders?')).is('answered');
      await anna.chooses('Edit');
    },
  },
  {
    name: 'assistant-parts',
    open: async (scene) => {
      const model = modelOf(scene);
      const anna = await asker(scene);
      const nowhere = documentOf({
        op: 'edit_section',
        section: '## Backups',
        find: 'weekly',
        replace: 'every night',
      });
      await model.plays('Say that Payments is written with Go, and that we back up every night', [
        { calls: [diagram({ op: 'update_node', id: 'payments', technology: 'Go' }), nowhere] },
        { text: 'Both are done: Payments is written with Go, and backups are described.' },
      ]);
      await model.plays('Describe the night', [{ calls: [nowhere] }]);
      await (await anna.asks('Describe the night')).is('not-applied');
      const card = await (
        await anna.asks('Say that Payments is written with Go, and that we back up every night')
      ).is('applied');
      await card.box.locator('.card-calls > summary').click();
      await card.box.locator('.card-calls li summary').last().click();
      await card.button('This helped').click();
    },
  },
  {
    name: 'assistant-settings',
    open: async (scene) => {
      const anna = await asker(scene);
      await anna.page.keyboard.press('Control+Comma');
      const dialog = anna.page.getByRole('dialog', { name: 'Settings' });
      await dialog.locator('.setting-numbers').scrollIntoViewIfNeeded();
    },
    close: async ({ page }) => page.keyboard.press('Escape'),
  },
  {
    name: 'assistant-partly-undone',
    open: async (scene) => {
      const anna = await asker(scene);
      await modelOf(scene).plays('Add a wish list', [
        {
          calls: [
            diagram(
              { op: 'add_node', id: 'wishes', type: 'service', label: 'Wish list', parent: 'services' },
              { op: 'update_node', id: 'inventory', technology: 'Kotlin, Exposed' },
            ),
          ],
        },
        { text: 'There is a wish list now.' },
      ]);
      const card = await (await anna.asks('Add a wish list')).is('applied');
      const operations = [{ op: 'update_node', id: 'inventory', technology: 'Kotlin, jOOQ' }];
      await scene.other.api('POST', `/workspaces/${scene.sample}/batches`, { operations });
      await anna.person.says({ revision: (await anna.person.stored()).revision });
      await card.button(/^Undo all/).click();
      await card.is('partly-undone');
    },
  },
];
