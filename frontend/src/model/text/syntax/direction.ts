/** The direction of each block by its first strong letter, where a text has letters that run from right to left. */
import type { MarkdownIt } from 'markdown-it';

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const BLOCKS = new Set(['paragraph_open', 'heading_open', 'list_item_open', 'th_open', 'td_open', 'dt_open']);

/** Adds the attribute to the blocks of a parser's text. */
export function direction(markdown: MarkdownIt): void {
  markdown.core.ruler.push('direction', ({ tokens }) => {
    if (!tokens.some(({ content }) => RIGHT_TO_LEFT.test(content))) return;
    for (const token of tokens) if (BLOCKS.has(token.type)) token.attrSet('dir', 'auto');
  });
}
