/** Colours the code blocks of a rendered document, a few at a time. Not here: how code is parsed (`highlighter.ts`). */
import { highlighted, highlightedNow } from './highlighter';

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
