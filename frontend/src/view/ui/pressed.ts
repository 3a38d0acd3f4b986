/** Pressed keys: whether they belong to a composition, and what they mean on keyboards of other alphabets. */

export const isMac = (): boolean => /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '');

export interface Pressed {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
  isComposing?: boolean;
  keyCode?: number;
  getModifierState?: (name: string) => boolean;
}

/** Whether the key belongs to a composition of an input method; 229 is Safari's code for the one that ends it. */
export const isComposing = (event: Pressed): boolean =>
  event.isComposing === true || event.keyCode === 229 || event.key === 'Dead';

/** Whether the last letter that was pressed is a Latin one; before the first, that is not known. */
let writesLatin = false;

/**
 * Keeps the keys of compositions from every other listener of the page, and notes the alphabet of the keyboard. Has to be
 * called first. The text editor handles compositions itself.
 */
export function watchKeys(page: Window): void {
  const watch = (event: KeyboardEvent) => {
    if (!isComposing(event)) noteAlphabet(event);
    else if (!(event.target as Partial<Element>).closest?.('.cm-content')) event.stopImmediatePropagation();
  };
  page.addEventListener('keydown', watch, { capture: true });
}

export function noteAlphabet({ key }: Pressed): void {
  if (/^\p{L}$/u.test(key)) writesLatin = !OF_OTHER_ALPHABET.test(key);
}

/** A letter that is not Latin; the names of keys, such as `Enter`, are. */
const OF_OTHER_ALPHABET = /[^\p{Script=Latin}\P{L}]/u;

/** Whether a key is at the place of a letter and writes one of another alphabet, or what Alt makes of a letter on a Mac. */
export const isAtPlaceOfLetter = (letter: string, { key, code, altKey }: Pressed): boolean =>
  code === `Key${letter}` && (altKey ? /[^ -~]/ : OF_OTHER_ALPHABET).test(key);

/** Signs by their places on Latin keyboards, without and with Shift. */
const SIGNS: Readonly<Record<string, string>> = {
  Slash: '/?',
  BracketLeft: '[',
  BracketRight: ']',
  Comma: ',',
  Period: '.',
};

/** Whether a key is at the place of a sign and writes something else, since the keyboard is of another alphabet. */
export const isAtPlaceOfSign = (sign: string, { key, code, shiftKey }: Pressed): boolean =>
  SIGNS[code]?.[+shiftKey] === sign &&
  // Cyrillic keyboards write dot and comma with the key of the slash. Turkish ones do, too, and are Latin.
  (OF_OTHER_ALPHABET.test(key) || (!writesLatin && /^[.,]$/.test(key)));
