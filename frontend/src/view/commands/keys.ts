/** Key bindings (`Mod+Shift+Z`): matching against events and formatting for people. */
import { isAtPlaceOfLetter, isAtPlaceOfSign, isMac, type Pressed } from '../ui/pressed';

/** Modifiers before the key; `Mod` is Control, on a Mac Command. Letters are capitals. */
export type Keys = string;

/** Characters that need Shift, AltGr or Option on some keyboards only: their modifiers are ignored. */
const isSign = (key: string): boolean => key.length === 1 && !/[A-Z0-9 ]/.test(key);

export function matches(keys: Keys, event: Pressed): boolean {
  const parts = partsOf(keys);
  const key = parts.pop() as string;
  const has = (name: string) => parts.includes(name);
  const held = heldBy(event, isSign(key) && !has('Alt'));
  if (has('Mod') !== held.mod || held.other || has('Alt') !== held.alt) return false;
  if (!isSign(key) && has('Shift') !== event.shiftKey) return false;
  if (/^[0-9]$/.test(key)) return event.code === `Digit${key}` || event.key === key;
  if (/^[A-Z]$/.test(key)) return event.key.toUpperCase() === key || isAtPlaceOfLetter(key, event);
  return event.key === key || isAtPlaceOfSign(key, event);
}

/** The modifiers that are meant as such: AltGr or Option may only produce a character. */
function heldBy(event: Pressed, mayWriteSign: boolean): { mod: boolean; other: boolean; alt: boolean } {
  const { ctrlKey, metaKey, altKey } = event;
  if (isMac()) return { mod: metaKey, other: ctrlKey, alt: altKey && !mayWriteSign };
  // Windows reports AltGr as Control and Alt together: then it is neither.
  const isAltGr = event.getModifierState?.('AltGraph') === true;
  if (isAltGr) return { mod: false, other: !mayWriteSign || metaKey, alt: false };
  return { mod: ctrlKey, other: metaKey, alt: altKey };
}

/** `Mod+Shift+Z` as it is written on this platform. */
export function written(keys: Keys): string {
  const names = isMac() ? MAC_NAMES : NAMES;
  return partsOf(keys)
    .map((part) => names[part] ?? part)
    .join(isMac() ? '' : '+');
}

/** As `aria-keyshortcuts` wants it. */
export const spokenKeys = (keys: Keys): string =>
  partsOf(keys)
    .map((part) => (part === 'Mod' ? (isMac() ? 'Meta' : 'Control') : part))
    .join('+');

/** `Mod++` ends with the key `+`. */
function partsOf(keys: Keys): string[] {
  if (keys.endsWith('++')) return [...keys.slice(0, -2).split('+'), '+'];
  return keys === '+' ? ['+'] : keys.split('+');
}

const ARROWS: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
};
const NAMES: Readonly<Record<string, string>> = {
  Mod: 'Ctrl',
  Escape: 'Esc',
  Delete: 'Del',
  ' ': 'Space',
  ContextMenu: 'Menu',
  ...ARROWS,
};
const MAC_NAMES: Readonly<Record<string, string>> = {
  Mod: '⌘',
  Shift: '⇧',
  Alt: '⌥',
  Escape: 'Esc',
  Delete: '⌦',
  Backspace: '⌫',
  Enter: '↩',
  Tab: '⇥',
  ' ': 'Space',
  ContextMenu: 'Menu',
  ...ARROWS,
};
