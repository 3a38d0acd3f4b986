/**
 * Colours the code blocks of a rendered document, a few at a time, by the parsers that the text editor has. Bounded: code
 * that is long or takes long stays plain. Not here: which languages there are (`languages.ts`), code in the text editor
 * (`nestedCode.ts`).
 */
import type { Parser } from '@lezer/common';
import { highlightTree } from '@lezer/highlight';
import { codeLook, MAX_CODE } from './codeLook';
import { languageOf } from './languages';

/** As many blocks of a part are coloured. */
const MAX_BLOCKS = 300;
/** What is coloured before the next frame takes no longer. */
const AT_ONCE_MS = 8;

const languageIn = (code: Element): string => /(?:^|\s)language-(\S+)/.exec(code.className)?.[1] ?? '';

const plainBlocks = (prose: Element): Element[] =>
  [...prose.querySelectorAll('pre > code[class*="language-"]:not([data-coloured])')].slice(0, MAX_BLOCKS);

function show(code: Element, fragment: DocumentFragment | null): void {
  code.setAttribute('data-coloured', '');
  if (fragment) code.replaceChildren(fragment);
}

/** Colours what can be coloured without waiting. */
export function colourAtOnce(prose: Element, most = AT_ONCE_MS): void {
  const until = performance.now() + most;
  for (const code of plainBlocks(prose)) {
    if (performance.now() > until) return;
    const fragment = highlightedNow(code.textContent ?? '', languageIn(code));
    if (fragment) show(code, fragment);
  }
}

/** Colours all blocks, with a pause behind each. */
export async function colourBlocks(prose: Element): Promise<void> {
  colourAtOnce(prose);
  for (const code of plainBlocks(prose)) {
    const text = code.textContent ?? '';
    const fragment = await highlighted(text, languageIn(code));
    // Meanwhile it may have been coloured by a later call.
    if (code.textContent === text && !code.hasAttribute('data-coloured')) show(code, fragment);
    if (fragment) await new Promise((resolve) => setTimeout(resolve));
  }
}

/** Code that takes longer to parse stays plain. */
const MAX_MS = 100;

/** The code in its colours; null where it stays plain. `language`: as it stands behind the fence. Never rejects. */
export async function highlighted(code: string, language: string): Promise<DocumentFragment | null> {
  const found = languageOf(language);
  if (!found || code.length > MAX_CODE) return null;
  try {
    const { language: known } = await found.load();
    return coloured(code, known.parser);
  } catch {
    return null; // Without a connection; a parser that fails has found code that is none.
  }
}

/** The same at once, where the language has been loaded before. */
export function highlightedNow(code: string, language: string): DocumentFragment | null {
  const known = languageOf(language)?.support?.language;
  return known && code.length <= MAX_CODE ? coloured(code, known.parser) : null;
}

/** @param now the clock, in milliseconds */
export function coloured(
  code: string,
  parser: Parser,
  now = () => performance.now(),
): DocumentFragment | null {
  const until = now() + MAX_MS;
  const parse = parser.startParse(code);
  let tree = parse.advance();
  while (!tree) {
    if (now() > until) return null;
    tree = parse.advance();
  }
  const fragment = document.createDocumentFragment();
  let at = 0;
  const plain = (to: number) => {
    if (to > at) fragment.append(code.slice(at, to));
    at = to;
  };
  highlightTree(tree, codeLook, (from, to, classes) => {
    plain(from);
    const span = document.createElement('span');
    span.className = classes;
    span.textContent = code.slice(from, to);
    fragment.append(span);
    at = to;
  });
  plain(code.length);
  return fragment;
}
