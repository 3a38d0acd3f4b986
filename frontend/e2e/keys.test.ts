/** Keys of input methods and of keyboards that are not QWERTY, as the browser itself tells them (DevTools protocol). */
import type { CDPSession } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Asker } from './assistantActor';
import { Stage } from './stage';

let stage: Stage;
let anna: Asker;
let keyboard: CDPSession;

beforeAll(async () => {
  stage = await Stage.shared();
  anna = await Asker.come(stage, 'Anna');
  keyboard = await page().context().newCDPSession(page());
});

afterAll(async () => {
  await stage?.close();
});

const page = () => anna.page;
const node = (id: string) => anna.person.node(id);

interface Key {
  key: string;
  code: string;
  keyCode: number;
  isControl?: boolean;
  isShift?: boolean;
}

/** Press a key that writes nothing by itself. */
async function press({ key, code, keyCode, isControl = false, isShift = false }: Key): Promise<void> {
  const modifiers = (isControl ? 2 : 0) + (isShift ? 8 : 0);
  const told = { key, code, windowsVirtualKeyCode: keyCode, modifiers };
  await keyboard.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...told });
  await keyboard.send('Input.dispatchKeyEvent', { type: 'keyUp', ...told });
}

/** The key that ends a composition in Safari comes after it, as this. */
const endComposition = (key: 'Enter' | 'Escape') => press({ key, code: key, keyCode: 229 });

/** Compose as an input method does: from sounds to a word. */
async function compose(sounds: string, word: string): Promise<void> {
  const { length } = sounds;
  await keyboard.send('Input.imeSetComposition', {
    text: sounds,
    selectionStart: length,
    selectionEnd: length,
  });
  await keyboard.send('Input.insertText', { text: word });
}

describe('the key that ends a composition', () => {
  it('sends nothing to the assistant', async () => {
    await anna.open();
    await anna.field.focus();
    await page().keyboard.type('add a service called ');
    await compose('める', 'Mail');
    await endComposition('Enter');
    await endComposition('Escape');
    await page().keyboard.type('box');
    await page().keyboard.press('Enter');
    await anna.card('add a service called Mailbox').is('applied');
    expect(await anna.cards.count()).toBe(1);
  });

  it('leaves a field for a name open', async () => {
    await anna.person.select('web');
    await page().keyboard.press('F2');
    const field = page().getByLabel('Name of Web shop');
    await field.waitFor();
    await compose('みせ', '店');
    await endComposition('Enter');
    await endComposition('Escape');
    await page().keyboard.type(' 2');
    expect(await field.inputValue()).toBe('店 2');
    await page().keyboard.press('Enter');
    await anna.person.labelled('web', '店 2');
  });

  it('neither chooses in a dialog nor closes it', async () => {
    await page().keyboard.press('Control+k');
    const palette = page().getByRole('dialog', { name: 'Commands' });
    await palette.getByRole('combobox').waitFor();
    await compose('おと', 'alone');
    await endComposition('Enter');
    await endComposition('Escape');
    await page().keyboard.type(' diagram');
    await palette.getByRole('option', { selected: true }).getByText('Show the diagram alone').waitFor();
    expect(await palette.getByRole('combobox').inputValue()).toBe('alone diagram');
    await page().keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
  });
});

describe('keyboards', () => {
  it('of Dvorak undo with the key that writes Z, not where QWERTY has it', async () => {
    for (const id of ['orders', 'api']) {
      await anna.person.select(id);
      await page().keyboard.press('Delete');
      await node(id).waitFor({ state: 'detached' });
    }
    await press({ key: ';', code: 'KeyZ', keyCode: 186, isControl: true });
    await press({ key: 'z', code: 'Slash', keyCode: 90, isControl: true });
    await node('api').waitFor();
    await anna.person.saved();
    expect(await node('orders').count()).toBe(0);
  });

  it('of Cyrillic letters open the palette, its search and the list of keys where QWERTY has their signs', async () => {
    await anna.person.focusCanvas();
    await press({ key: 'х', code: 'BracketLeft', keyCode: 219 });
    const names = page().getByRole('searchbox', { name: 'Search node types' });
    await names.waitFor();
    await anna.person.focusCanvas();
    await press({ key: 'х', code: 'BracketLeft', keyCode: 219 });
    await names.waitFor({ state: 'detached' });
    await press({ key: '.', code: 'Slash', keyCode: 191 });
    await names.waitFor();
    await anna.person.focusCanvas();
    await press({ key: ',', code: 'Slash', keyCode: 191, isShift: true });
    await page().getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  });
});
