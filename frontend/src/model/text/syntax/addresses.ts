/**
 * What bare addresses and links of a document become: `www.` begins one as on code hosts, and what is relative to a place
 * that the document has left says that it leads nowhere. Not here: links to headings and nodes.
 */
import type { MarkdownIt, Token } from 'markdown-it';

const WWW = /^[\w-]{1,63}(?:\.[\w-]{1,63}){1,10}(?::\d{1,5})?(?:[/?#][^\s<>]*)?/;
/** What belongs to the sentence around an address. */
const TRAILING = /(?<![?!.,:*_~'"])[?!.,:*_~'"]+$/;
const MAX_ADDRESS = 2_000;

function lengthOfWww(text: string, at: number): number {
  let found = WWW.exec(text.slice(at, at + MAX_ADDRESS))?.[0] ?? '';
  for (let before = ''; before !== found; ) {
    before = found;
    found = found.replace(TRAILING, '');
    if (found.endsWith(')') && count(found, ')') > count(found, '(')) found = found.slice(0, -1);
  }
  return found.length;
}

const count = (text: string, sign: string): number => text.split(sign).length - 1;

const LEADS = /^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i;
export const NOWHERE = 'A relative address, which leads nowhere from here';

function markRelative({ tokens }: { tokens: Token[] }): void {
  for (const { children } of tokens) {
    const open: boolean[] = [];
    for (const token of children ?? []) {
      if (token.type === 'link_open') {
        const href = String(token.attrGet('href') ?? '');
        open.push(!LEADS.test(href));
        if (open.at(-1)) {
          token.tag = 'span';
          token.attrs = [
            ['class', 'leads-nowhere'],
            ['title', `${NOWHERE}: ${href}`],
          ];
        }
      } else if (token.type === 'link_close' && open.pop()) token.tag = 'span';
    }
  }
}

/** Adds both to a parser. */
export function addresses(markdown: MarkdownIt): void {
  markdown.linkify.add('www.', {
    validate: (text, at) => lengthOfWww(text, at),
    normalize: (match) => {
      match.url = `http://${match.url}`;
    },
  });
  markdown.core.ruler.push('relative', markRelative);
}
