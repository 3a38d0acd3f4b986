/** The example of a page of one's own (`examples/embed`), with its own backend, beside a page of Draftsmith's. */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { axeViolations } from './axe';
import { PlainPage } from './plainPage';
import { Stage, type Visit } from './stage';
import { TIMEOUT_MS } from './timeout';

const SCRIPT = path.resolve(import.meta.dirname, '../../examples/embed/embed.py');
const OPENED = /The page is at (\S+) \(workspace (\w+)\)\n/;

let stage: Stage;
let script: ChildProcess;
let said = '';
let guest: Visit;
let beside: PlainPage;

/** Wait until the script has printed something of that form. */
const prints = (form: RegExp) => vi.waitFor(() => expect(said).toMatch(form), { timeout: TIMEOUT_MS });

beforeAll(async () => {
  stage = await Stage.open({ serves: 'plain page' });
  script = spawn(process.env.PYTHON ?? 'python3', [SCRIPT, '--draftsmith', stage.url, '--port', '0']);
  for (const stream of [script.stdout, script.stderr])
    stream?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
  await prints(OPENED);
  const [, address = '', workspace = ''] = OPENED.exec(said) ?? [];
  guest = await stage.person('light', new URL(address).origin);
  beside = new PlainPage(await stage.person(), workspace);
  await guest.page.goto('/');
  await guest.page.locator('#status[data-connection="live"]').waitFor();
  await beside.open();
});

afterAll(async () => {
  if (script && script.exitCode === null) {
    const ended = new Promise((resolve) => script.once('exit', resolve));
    script.kill();
    await ended;
  }
  await stage?.close();
});

describe('a page of one’s own', () => {
  it('edits the diagram with others, and its backend hears of it', async () => {
    const { page } = guest;
    await page.getByLabel('Label').fill('Billing');
    await page.getByRole('button', { name: 'Add a service' }).click();
    await beside.visit.page.locator('#nodes [data-label="Billing"]').waitFor();
    await prints(/^\d+\. .*Billing/m);
    await beside.addNode('beside', 'Made beside');
    await page.getByText('Made beside').waitFor();
    await prints(/^\d+\. .*Made beside/m);
    await page.getByRole('button', { name: 'Undo my last change' }).click();
    await beside.visit.page.locator('#nodes [data-label="Billing"]').waitFor({ state: 'detached' });
  });

  it('writes in the document with others, and the caret stays where it was', async () => {
    const field = guest.page.getByLabel('Document');
    await field.press('Control+Home');
    await field.pressSequentially('Written outside. ');
    await beside.reads('Written outside.');
    await beside.caretAfter('Written outside.');
    await beside.visit.page.keyboard.press('Home');
    await beside.type('Draftsmith: ');
    await expect.poll(() => field.inputValue()).toContain('Draftsmith: Written outside.');
    await field.pressSequentially('Still here. ');
    await beside.reads('Draftsmith: Written outside. Still here.');
  });

  it('connects anew with another ticket after the server was away', async () => {
    await stage.kill();
    await guest.page.locator('#status[data-connection="offline"]').waitFor();
    await stage.restart();
    await guest.page.locator('#status[data-connection="live"]').waitFor();
    await guest.page.getByLabel('Label').fill('After the restart');
    await guest.page.getByRole('button', { name: 'Add a service' }).click();
    await beside.visit.page.locator('#nodes [data-label="After the restart"]').waitFor();
    await prints(/^\d+\. .*After the restart/m);
    guest.forgiveLostRequests();
    beside.visit.forgiveLostRequests();
  });

  it('has no serious flaw, asks no third origin, and leaves no error behind', async () => {
    expect(await axeViolations(guest.page)).toEqual([]);
    for (const visit of [guest, beside.visit]) {
      expect(visit.strayRequests).toEqual([]);
      expect(visit.complaints).toEqual([]);
    }
    expect(said).not.toContain('Traceback');
  });
});
