/** Writing with the clipboard and the keyboard as people do: rich text, tables, links and diagrams that are pasted. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { holdAnswers, holdPart, holdRequests } from './holding';
import { withTimeHeld } from './pageTime';
import { Stage, type Visit } from './stage';

const NODES = [
  { id: 'web', type: 'web', label: 'Web', position: { x: 0, y: 0 } },
  { id: 'orders', type: 'service', label: 'Orders', position: { x: 320, y: 0 } },
];

let stage: Stage;
let visit: Visit;

beforeAll(async () => {
  stage = await Stage.shared();
  visit = await stage.person();
  await visit.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await visit.page.goto('/');
});

afterAll(async () => {
  await stage?.close();
});

const page = () => visit.page;
const content = () => page().locator('#document .cm-content');
const press = (keys: string) => page().keyboard.press(keys);

async function open(text: string): Promise<string> {
  const { id } = await visit.api<{ id: string }>('POST', '/workspaces', {
    name: 'Shop',
    document: { text },
    diagram: { nodes: NODES },
  });
  await visit.openWithin(id, { view: 'document' });
  await content().focus();
  await press('Control+End');
  return id;
}

async function stored(id: string): Promise<string> {
  const { document } = await visit.api<{ document: { text: string } }>('GET', `/workspaces/${id}`);
  return document.text;
}

const storedText = (id: string) => expect.poll(() => stored(id));
const status = (condition: string) => page().locator(`[data-testid="status"][data-condition="${condition}"]`);

/** The address of a place of this page. */
const address = (place: string): Promise<string> =>
  page().evaluate((hash) => new URL(hash, location.href).href, place);

/** Put something on the clipboard of the system, as another program would. */
async function copy(plain: string, html?: string): Promise<void> {
  const parts = { 'text/plain': plain, ...(html !== undefined && { 'text/html': html }) };
  await page().evaluate(
    (all) =>
      navigator.clipboard.write([
        new ClipboardItem(
          Object.fromEntries(Object.entries(all).map(([type, part]) => [type, new Blob([part], { type })])),
        ),
      ]),
    parts,
  );
}

/** Pastes, and waits until the browser has: it reads the clipboard while further keys come. */
async function pasteIt(keys = 'Control+v'): Promise<void> {
  const seen = page().evaluate(
    () =>
      new Promise<void>((resolve) =>
        addEventListener('paste', () => resolve(), { once: true, capture: true }),
      ),
  );
  await page().evaluate(() => undefined); // It listens by now.
  await press(keys);
  await seen;
}

describe('pasting', () => {
  const RICH =
    '<h2>Rollout</h2><ul><li>one</li><li><b>two</b></li></ul><table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td>2</td></tr></table>';

  it('makes Markdown of rich text, as one step of undo', async () => {
    const id = await open('# Plan\n\nSee ');
    await copy('Rollout one two', RICH);
    await pasteIt();
    const text = '# Plan\n\nSee \n\n## Rollout\n\n- one\n- **two**\n\n| a | b |\n| --- | --- |\n| 1 | 2 |';
    await storedText(id).toBe(text);
    await press('Control+z');
    await storedText(id).toBe('# Plan\n\nSee ');
  });

  it('with Shift, and within code, leaves it plain', async () => {
    const id = await open('# Plan\n\n');
    await copy('Rollout', '<b>Rollout</b>');
    await pasteIt('Control+Shift+v');
    await page().keyboard.type('\n\n```\n');
    await pasteIt();
    await storedText(id).toBe('# Plan\n\nRollout\n\n```\nRollout');
  });

  it('makes a table of rows with tabs, and a diagram of Mermaid', async () => {
    const id = await open('# Plan\n\n');
    await copy('Name\tWhy\nOrders\tsells');
    await pasteIt();
    await storedText(id).toBe('# Plan\n\n| Name | Why |\n| --- | --- |\n| Orders | sells |');
    await page().keyboard.type('\n\n');
    await copy('flowchart LR\n  a --> b');
    await pasteIt();
    await storedText(id).toContain('\n\n```mermaid\nflowchart LR\n  a --> b\n```');
  });

  it('makes links of addresses: of selected words, and by name of a node and a section of this page', async () => {
    const id = await open('# Plan\n\nsee docs');
    await press('Control+Shift+ArrowLeft');
    await copy('https://example.org/a');
    await pasteIt();
    await storedText(id).toBe('# Plan\n\nsee [docs](https://example.org/a)');
    await page().keyboard.type(', ');
    await copy(await address('#node/orders'));
    await pasteIt();
    await page().keyboard.type(' in ');
    await copy(await address('#plan'));
    await pasteIt();
    await storedText(id).toBe(
      '# Plan\n\nsee [docs](https://example.org/a), [Orders](#node/orders) in [Plan](#plan)',
    );
  });

  it('comes where it was pasted when its part is there, while one types on elsewhere', async () => {
    await page().goto('/');
    const releaseTools = await holdPart(page(), 'findAndComplete'); // Pasting does not wait for them.
    const release = await holdPart(page(), 'insertPasted');
    const id = await open('# Plan\n\n');
    await copy('Rollout', '<b>Rollout</b>');
    await pasteIt();
    await press('Control+Home');
    await page().keyboard.type('X');
    await storedText(id).toBe('X# Plan\n\n');
    release();
    await storedText(id).toBe('X# Plan\n\n**Rollout**');
    await page().keyboard.type('Y');
    await storedText(id).toBe('XY# Plan\n\n**Rollout**');
    releaseTools();
  });

  it('comes before what is typed behind it at once, and in place of what was selected', async () => {
    await page().goto('/');
    const release = await holdPart(page(), 'insertPasted');
    const id = await open('# Plan\n\nold');
    for (let at = 0; at < 3; at += 1) await press('Shift+ArrowLeft');
    await copy('new', '<b>new</b>');
    await pasteIt();
    await page().keyboard.type(' and');
    await storedText(id).toBe('# Plan\n\n and');
    release();
    await storedText(id).toBe('# Plan\n\n**new** and');
    await page().keyboard.type(' more');
    await storedText(id).toBe('# Plan\n\n**new** and more');
  });

  it('goes on while a table of 10,000 cells or 5 MB of markup is pasted', async () => {
    const id = await open('# Plan\n\n');
    const row = `<tr>${'<td><p><span style="font-weight:700">c</span></p></td>'.repeat(10)}</tr>`;
    await copy('c', `<table>${row.repeat(1000)}</table>`);
    await pasteIt();
    await expect.poll(async () => (await stored(id)).split('\n').length).toBe(1003);
    await press('Control+a');
    await copy('plain', `${'<div>'.repeat(400)}${'<b>x</b>'.repeat(620_000)}`);
    await pasteIt();
    await storedText(id).toBe('plain');
  });
});

describe('Ctrl+Z and what is typed right behind it', () => {
  /** In one go, which is one step of undo. */
  const type = (text: string) => withTimeHeld(page(), () => page().keyboard.type(text));

  it('takes what was typed before, also where that is not saved yet', async () => {
    const answers = await holdAnswers(page());
    const id = await open('# Plan\n\n');
    await status('saved').waitFor();
    answers.hold();
    await type('first');
    await press('Control+z');
    await type('second');
    answers.release();
    await storedText(id).toBe('# Plan\n\nsecond');
    await status('saved').waitFor();
    expect(await content().innerText()).toContain('second');
    expect(await stored(id)).toBe('# Plan\n\nsecond');
    await press('Control+z');
    await storedText(id).toBe('# Plan\n\n');
  });

  it('takes the change that it means, also while the server is asked which one that is', async () => {
    const id = await open('# Plan\n\nNone known.\n\n');
    const few = { op: 'edit_section', section: 'Plan', find: 'None', replace: 'Few' };
    await visit.api('POST', `/workspaces/${id}/batches`, { operations: [few] });
    await page()
      .getByRole('button', { name: /^Undo: .*Plan/ })
      .waitFor();
    const release = await holdRequests(page(), '**/workspaces/*/undo');
    await press('Control+z');
    await type('more');
    release();
    await storedText(id).toBe('# Plan\n\nNone known.\n\nmore');
    await page().unrouteAll({ behavior: 'wait' });
  });
});

describe('the menu of /', () => {
  const list = () => page().locator('.cm-tooltip-autocomplete [role="listbox"]');
  const option = (name: string) => list().getByRole('option').filter({ hasText: name });

  it('inserts what is chosen by keyboard, as one step, and Escape leaves what was typed', async () => {
    const id = await open('# Plan\n\n');
    await page().keyboard.type('/head');
    await option('Heading 2').waitFor();
    expect(await content().getAttribute('aria-activedescendant')).toBeTruthy();
    await press('ArrowDown');
    await option('Heading 2').and(page().locator('[aria-selected="true"]')).waitFor();
    await press('Enter');
    await page().keyboard.type('Rollout');
    await storedText(id).toBe('# Plan\n\n## Rollout');
    await press('Enter');
    await page().keyboard.type('either/or /ta');
    await option('Table of contents').waitFor();
    await press('Escape');
    await list().waitFor({ state: 'detached' });
    await storedText(id).toBe('# Plan\n\n## Rollout\neither/or /ta');
  });

  it('asks for an image, which comes where it was asked for', async () => {
    const id = await open('# Plan\n\nSee ');
    const chooser = page().waitForEvent('filechooser');
    await page().keyboard.type('/ima');
    await page().locator('.cm-tooltip-autocomplete [aria-selected=true]', { hasText: 'Image' }).waitFor();
    await press('Enter');
    const buffer = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    await (await chooser).setFiles({ name: 'flow.svg', mimeType: 'image/svg+xml', buffer });
    await expect.poll(() => stored(id)).toMatch(/^# Plan\n\nSee !\[[^\]]+\]\(images\/[0-9a-f]{64}\.svg\)$/);
  });

  it('lists the sections, and offers nothing within code', async () => {
    const id = await open('# Plan\n\n## Rollout\n\n## Risks\n\n');
    await page().keyboard.type('/toc');
    await option('Table of contents').waitFor();
    await press('Enter');
    await storedText(id).toBe(
      '# Plan\n\n## Rollout\n\n## Risks\n\n- [Rollout](#rollout)\n- [Risks](#risks)\n',
    );
    await page().keyboard.type('\n\n```\n/');
    await storedText(id).toContain('```\n/');
    await page().keyboard.type('t');
    await storedText(id).toContain('```\n/t');
    expect(await list().count()).toBe(0);
  });

  it('[[ and @ offer nodes and sections', async () => {
    const id = await open('# Plan\n\n## Rollout\n\nSee ');
    await page().keyboard.type('[[ord');
    await option('Orders').waitFor();
    await press('Enter');
    await page().keyboard.type(', @ro');
    await option('Rollout').waitFor();
    // Whoever types on and chooses at once does not wait for the list.
    await page().keyboard.type('ll');
    await press('Enter');
    await storedText(id).toBe('# Plan\n\n## Rollout\n\nSee [Orders](#node/orders), [Rollout](#rollout)');
  });
});
