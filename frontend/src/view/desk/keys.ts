/** Keys as commands name them (`Mod+Shift+Z`), matched against events and written for people. */

export const isMac = (): boolean => /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '');

/** Modifiers before the key; `Mod` is Control, on a Mac Command. Letters are capitals. */
export type Keys = string;

interface Pressed {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
}

/** Signs that need Shift on some keyboards and not on others: Shift says nothing about them. */
const isSign = (key: string): boolean => key.length === 1 && !/[A-Z0-9 ]/.test(key);

export function matches(keys: Keys, event: Pressed): boolean {
  const parts = partsOf(keys);
  const key = parts.pop() as string;
  const has = (name: string) => parts.includes(name);
  const isMod = isMac() ? event.metaKey : event.ctrlKey;
  const isOther = isMac() ? event.ctrlKey : event.metaKey;
  if (has('Mod') !== isMod || isOther || has('Alt') !== event.altKey) return false;
  if (!isSign(key) && has('Shift') !== event.shiftKey) return false;
  if (/^[0-9]$/.test(key)) return event.code === `Digit${key}` || event.key === key;
  if (/^[A-Z]$/.test(key)) {
    // Where the keyboard writes another alphabet, its place counts.
    const isLatin = /^[a-z]$/i.test(event.key);
    return isLatin ? event.key.toUpperCase() === key : event.code === `Key${key}`;
  }
  return event.key === key;
}

/** `Mod+Shift+Z` as it is written on this kind of keyboard. */
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
const NAMES: Readonly<Record<string, string>> = { Mod: 'Ctrl', Escape: 'Esc', Delete: 'Del', ...ARROWS };
const MAC_NAMES: Readonly<Record<string, string>> = {
  Mod: '⌘',
  Shift: '⇧',
  Alt: '⌥',
  Escape: 'Esc',
  Delete: '⌫',
  Enter: '↩',
  ...ARROWS,
};
