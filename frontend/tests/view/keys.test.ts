import { afterEach, describe, expect, it, vi } from 'vitest';
import { matches, spokenKeys, written } from '../../src/view/commands/keys';
import { isComposing, noteAlphabet, type Pressed } from '../../src/view/ui/pressed';

const NOTHING: Pressed = {
  key: '',
  code: '',
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
};

const press = (parts: Partial<Pressed>): Pressed => ({ ...NOTHING, ...parts });

/** As Windows tells it. */
const altGr = (parts: Partial<Pressed>): Pressed =>
  press({ ctrlKey: true, altKey: true, getModifierState: (name) => name === 'AltGraph', ...parts });

function onMac(): void {
  vi.stubGlobal('navigator', { platform: 'MacIntel' });
}

afterEach(() => vi.unstubAllGlobals());

describe('keys', () => {
  it('want exactly their modifiers', () => {
    const z = press({ key: 'z', code: 'KeyZ', ctrlKey: true });
    expect(matches('Mod+Z', z)).toBe(true);
    expect(matches('Mod+Z', { ...z, shiftKey: true })).toBe(false);
    expect(matches('Mod+Z', { ...z, altKey: true })).toBe(false);
    expect(matches('Mod+Z', { ...z, metaKey: true })).toBe(false);
    expect(matches('Z', z)).toBe(false);
  });

  it('are Command on a Mac, and nothing with Control there', () => {
    onMac();
    expect(matches('Mod+K', press({ key: 'k', code: 'KeyK', metaKey: true }))).toBe(true);
    expect(matches('Mod+K', press({ key: 'k', code: 'KeyK', ctrlKey: true }))).toBe(false);
  });

  it('go by the letter where letters are Latin, else by its place', () => {
    const dvorak = press({ key: 'k', code: 'KeyV', ctrlKey: true });
    expect(matches('Mod+K', dvorak)).toBe(true);
    expect(matches('Mod+V', dvorak)).toBe(false);
    expect(matches('Mod+K', press({ key: 'л', code: 'KeyK', ctrlKey: true }))).toBe(true);
  });

  it('are not those of the place where a Latin keyboard has a sign or a letter with a mark', () => {
    expect(matches('Mod+Z', press({ key: ';', code: 'KeyZ', ctrlKey: true }))).toBe(false);
    expect(matches('W', press({ key: 'ğ', code: 'KeyW' }))).toBe(false);
    onMac();
    expect(matches('Shift+Alt+L', press({ key: 'Ò', code: 'KeyL', shiftKey: true, altKey: true }))).toBe(
      true,
    );
  });

  it('take a sign by its place where the keyboard writes another letter there', () => {
    expect(matches('[', press({ key: 'х', code: 'BracketLeft' }))).toBe(true);
    expect(matches(']', press({ key: 'ъ', code: 'BracketRight' }))).toBe(true);
    expect(matches('Mod+,', press({ key: 'б', code: 'Comma', ctrlKey: true }))).toBe(true);
    expect(matches('[', press({ key: 'Х', code: 'BracketLeft', shiftKey: true }))).toBe(false);
    expect(matches('[', press({ key: 'ü', code: 'BracketLeft' }))).toBe(false);
    expect(matches('[', altGr({ key: '“', code: 'BracketLeft' }))).toBe(false);
  });

  it('know the slash of a Cyrillic keyboard, which writes dot and comma, by the letters before', () => {
    const dot = press({ key: '.', code: 'Slash' });
    const comma = press({ key: ',', code: 'Slash', shiftKey: true });
    expect([matches('/', dot), matches('?', comma)]).toEqual([true, true]);
    noteAlphabet(press({ key: 'a', code: 'KeyA' }));
    expect([matches('/', dot), matches('?', comma)]).toEqual([false, false]);
    noteAlphabet(press({ key: 'Shift', code: 'ShiftLeft', shiftKey: true }));
    expect(matches('/', dot)).toBe(false);
    noteAlphabet(press({ key: 'ф', code: 'KeyA' }));
    expect([matches('/', dot), matches('?', comma)]).toEqual([true, true]);
    expect(matches('/', press({ key: '-', code: 'Slash' }))).toBe(false);
  });

  it('do not mind capitals lock', () => {
    expect(matches('V', press({ key: 'V', code: 'KeyV' }))).toBe(true);
  });

  it('take digits by their place, where they need Shift or Option writes another sign', () => {
    expect(matches('Shift+1', press({ key: '!', code: 'Digit1', shiftKey: true }))).toBe(true);
    expect(matches('Shift+1', press({ key: '1', code: 'Digit1', shiftKey: true }))).toBe(true);
    onMac();
    expect(matches('Alt+1', press({ key: '¡', code: 'Digit1', altKey: true }))).toBe(true);
  });

  it('take a sign however the keyboard writes it', () => {
    expect(matches('?', press({ key: '?', code: 'Slash', shiftKey: true }))).toBe(true);
    expect(matches('[', press({ key: '[', code: 'BracketLeft' }))).toBe(true);
    expect(matches('[', altGr({ key: '[', code: 'Digit8' }))).toBe(true);
    onMac();
    expect(matches('[', press({ key: '[', code: 'Digit5', altKey: true }))).toBe(true);
  });

  it('are never AltGr: what writes a letter is no command', () => {
    expect(matches('Mod+Alt+E', altGr({ key: '€', code: 'KeyE' }))).toBe(false);
    expect(matches('Mod+Alt+Z', altGr({ key: 'z', code: 'KeyZ' }))).toBe(false);
    expect(matches('Alt+1', altGr({ key: '¹', code: 'Digit1' }))).toBe(false);
    expect(matches('E', altGr({ key: 'ę', code: 'KeyE' }))).toBe(false);
    expect(matches('Mod+Alt+E', press({ key: 'e', code: 'KeyE', ctrlKey: true, altKey: true }))).toBe(true);
  });

  it('know plus and space', () => {
    expect(matches('Mod++', press({ key: '+', code: 'Equal', ctrlKey: true, shiftKey: true }))).toBe(true);
    expect(matches('+', press({ key: '+', code: 'NumpadAdd' }))).toBe(true);
  });

  it('belong to the word while one is being put together', () => {
    expect(isComposing(press({ key: 'Enter', isComposing: true }))).toBe(true);
    expect(isComposing(press({ key: 'Enter', keyCode: 229 }))).toBe(true);
    expect(isComposing(press({ key: 'Dead' }))).toBe(true);
    expect(isComposing(press({ key: 'Enter', keyCode: 13 }))).toBe(false);
  });

  it('are written as on the keyboard at hand', () => {
    expect(written('Mod+Shift+Z')).toBe('Ctrl+Shift+Z');
    expect(written('Mod++')).toBe('Ctrl++');
    expect(written('Alt+ArrowUp')).toBe('Alt+↑');
    expect(spokenKeys('Mod+K')).toBe('Control+K');
    onMac();
    expect(written('Mod+Shift+Z')).toBe('⌘⇧Z');
    expect(spokenKeys('Mod+K')).toBe('Meta+K');
  });
});
