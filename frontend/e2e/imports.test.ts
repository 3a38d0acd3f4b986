/** Files that are imported: several at once on the first page, and into a workspace that is open, twice. */
import { strToU8, zipSync } from 'fflate';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorkspace, Person, type Scene } from './actors';
import { axeViolations } from './axe';
import { Stage } from './stage';

let stage: Stage;
let anna: Person;

const SCENE: Scene = {
  text: '# Plan\n',
  nodes: [{ id: 'ours', type: 'service', label: 'Ours', position: { x: 0, y: 0 } }],
};
const FIRST = 'flowchart LR\n  shop[Web shop] --> orders[Orders]\n  old[Old]\n';
const SECOND = 'flowchart LR\n  shop[Web shop] --> orders[(Orders)]\n  mail[Mail]\n';

const page = () => anna.page;
const dialog = () => page().getByRole('dialog');
const button = (name: string) => dialog().getByRole('button', { name, exact: true });
const list = (name: string) => dialog().getByRole('list', { name, exact: true });
const rows = (of: Locator) => of.locator('.import-row');

const sent = (name: string, content: string) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(content),
});

/** Drop files on the middle of an element. */
async function drop(selector: string, files: readonly (readonly [string, string])[]): Promise<void> {
  const transfer = await page().evaluateHandle((files) => {
    const data = new DataTransfer();
    for (const [name, content] of files) data.items.add(new File([content], name));
    return data;
  }, files);
  for (const type of ['dragenter', 'dragover', 'drop'])
    await page().dispatchEvent(selector, type, { dataTransfer: transfer });
}

async function labels(): Promise<string[]> {
  return [...(await anna.stored()).nodes.values()].map(({ label }) => label).sort();
}

beforeAll(async () => {
  stage = await Stage.shared();
  anna = await Person.come(stage, 'Anna', '');
});

afterAll(async () => {
  await stage?.close();
});

describe('several files', () => {
  it('are said to be what they are, and become a folder of workspaces with a row a file', async () => {
    await page().goto('/');
    await page().locator('.row, .first-steps').first().waitFor();
    await drop('.home', [
      ['flow.mmd', `${FIRST}  classDef hot fill:#f00\n`],
      ['notes.md', '# Notes\n'],
      ['broken.mmd', 'pie\n'],
      ['data.bin', '?'],
    ]);
    await dialog().getByText('4 files: 2 workspaces will be made.').waitFor();
    const of = rows(dialog());
    await expect.poll(() => of.count()).toBe(4);
    expect(await of.nth(0).textContent()).toMatch(/flow\.mmd.*Mermaid.*3 nodes.*1 thing is not taken over/);
    expect(await of.nth(2).textContent()).toMatch(/broken\.mmd.*Not read, line 1/);
    expect(await of.nth(3).textContent()).toMatch(/data\.bin.*Not recognized/);
    expect(await axeViolations(page())).toEqual([]);
    await dialog().getByLabel('Into a new folder called').fill('Import of today');
    await button('Import').click();
    await dialog().getByText('2 workspaces made of 4 files.').waitFor();
    await button('Open folder').click();
    await page().getByRole('heading', { name: 'Import of today' }).waitFor();
    await expect
      .poll(() => page().locator('.row-name').allTextContents())
      .toEqual(expect.arrayContaining(['flow', 'Notes']));
  });

  it('in a zip are those of a folder, which is called as the zip is', async () => {
    await page().goto('/');
    await page().locator('.row, .first-steps').first().waitFor();
    await page().getByRole('button', { name: 'Import', exact: true }).first().click();
    const zip = zipSync({ 'a/flow.mmd': strToU8(FIRST), 'a/notes.md': strToU8('# Packed notes\n') });
    await dialog()
      .getByLabel('File to import')
      .setInputFiles([{ name: 'plans.zip', mimeType: 'application/zip', buffer: Buffer.from(zip) }]);
    await dialog().getByText('1 file: 2 workspaces will be made.').waitFor();
    expect(await rows(dialog()).first().textContent()).toMatch(/plans\.zip\/a\/flow\.mmd.*Mermaid/);
    expect(await dialog().getByLabel('Into a new folder called').inputValue()).toBe('plans');
    await button('Import').click();
    await dialog().getByText('2 workspaces made of 1 file.').waitFor();
    await button('Open folder').click();
    await expect
      .poll(() => page().locator('.row-name').allTextContents())
      .toEqual(expect.arrayContaining(['flow', 'Packed notes']));
  });

  it('may be one whose ending says nothing of the tool that it is of', async () => {
    await page().goto('/');
    await page().locator('.row, .first-steps').first().waitFor();
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'till' }, spec: { containers: [] } };
    await drop('.home', [['cluster.json', JSON.stringify(pod)]]);
    await dialog().getByText('1 file: 1 workspace will be made.').waitFor();
    expect(await rows(dialog()).textContent()).toMatch(/cluster\.json.*Kubernetes manifests.*1 node/);
    await button('Cancel').click();
    await dialog().waitFor({ state: 'detached' });
  });

  it('of which none can be imported leave a way to choose others', async () => {
    await page().goto('/');
    await page().locator('.row, .first-steps').first().waitFor();
    await drop('.home', [
      ['a.bin', '?'],
      ['b.bin', '?'],
    ]);
    await dialog().getByText('Nothing of this can be imported.').waitFor();
    expect(await button('Import').isDisabled()).toBe(true);
    await dialog()
      .getByLabel('Files to import')
      .setInputFiles([sent('c.mmd', FIRST), sent('d.mmd', SECOND)]);
    await dialog().getByText('2 files: 2 workspaces will be made.').waitFor();
    await button('Cancel').click();
    await dialog().waitFor({ state: 'detached' });
  });
});

describe('an import into a workspace that is open', () => {
  beforeAll(async () => {
    anna = new Person(anna.visit, await makeWorkspace(anna.visit, SCENE));
    await anna.openWithin({ panel: 'none', view: 'split' });
  });

  it('shows what is new when files are dropped on the canvas, and applies it as one step', async () => {
    await expect
      .poll(async () => {
        await drop('.react-flow__pane', [['flow.mmd', FIRST]]);
        return dialog().count();
      })
      .toBe(1);
    await list('New').waitFor();
    expect(await rows(list('New')).count()).toBe(4);
    expect(await axeViolations(page())).toEqual([]);
    const { revision } = await anna.stored();
    await button('Apply').click();
    await dialog().waitFor({ state: 'detached' });
    await expect.poll(labels).toEqual(['Old', 'Orders', 'Ours', 'Web shop']);
    expect((await anna.stored()).revision).toBe(revision + 1);
  });

  it('is offered for what another tool has copied, when it is pasted on the canvas', async () => {
    await anna.visit.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await anna.focusCanvas();
    const copied = encodeURIComponent(
      '<mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/><mxCell id="a" value="Copied" vertex="1" parent="1">' +
        '<mxGeometry width="120" height="60" as="geometry"/></mxCell></root></mxGraphModel>',
    );
    await page().evaluate((text) => navigator.clipboard.writeText(text), copied);
    await anna.key('Control+V');
    await list('New').waitFor();
    expect(await rows(list('New')).allTextContents()).toEqual([expect.stringContaining('Copied')]);
    await dialog().getByRole('status').getByText('1 new, 0 changed, 0 no longer there.').waitFor();
    await button('Cancel').click();
    await dialog().waitFor({ state: 'detached' });
  });

  it('recognizes the second time what came from the same source, and deletes nothing that is not ticked', async () => {
    await anna.key('Control+k');
    await page().locator('[cmdk-root] input').fill('Import files into');
    await page().locator('[cmdk-item][aria-selected="true"]', { hasText: 'Import files into' }).waitFor();
    await anna.key('Enter');
    await dialog()
      .getByLabel('Files to import')
      .setInputFiles([sent('flow.mmd', SECOND)]);
    await list('Changed').waitFor();
    expect(await rows(list('New')).allTextContents()).toEqual([expect.stringContaining('Mail')]);
    expect(await rows(list('Changed')).textContent()).toMatch(/Orders.*type.*service.*database/);
    expect(await rows(list('No longer there')).textContent()).toContain('Old');
    expect(await list('No longer there').getByRole('checkbox').isChecked()).toBe(false);
    await list('New').getByRole('checkbox').uncheck();
    await dialog().getByText('1 change', { exact: true }).waitFor();
    await list('New').getByRole('checkbox').check();
    await list('No longer there').getByRole('checkbox').check();
    await button('Apply').click();
    await dialog().waitFor({ state: 'detached' });
    await expect.poll(labels).toEqual(['Mail', 'Orders', 'Ours', 'Web shop']);
  });

  it('says so where nothing differs, and where nothing can be read', async () => {
    await drop('.react-flow__pane', [['flow.mmd', SECOND]]);
    await dialog().getByRole('heading', { name: 'Nothing differs' }).waitFor();
    expect(await button('Apply').isDisabled()).toBe(true);
    await dialog()
      .getByLabel('Files to import')
      .setInputFiles([sent('a.bin', '?')]);
    await dialog().getByRole('alert').getByText('not recognized').waitFor();
    await button('Close').click();
    await dialog().waitFor({ state: 'detached' });
  });

  it('is proposed, and is there once it is accepted', async () => {
    await drop('.react-flow__pane', [['more.mmd', 'flowchart LR\n  tills[Tills]\n']]);
    await list('New').waitFor();
    await button('Propose').click();
    await dialog().waitFor({ state: 'detached' });
    const accept = page()
      .getByRole('button', { name: /^(Accept|Apply)/ })
      .first();
    await accept.waitFor();
    expect(await labels()).toEqual(['Mail', 'Orders', 'Ours', 'Web shop']);
    await accept.click();
    await expect.poll(labels).toEqual(['Mail', 'Orders', 'Ours', 'Tills', 'Web shop']);
  });
});
