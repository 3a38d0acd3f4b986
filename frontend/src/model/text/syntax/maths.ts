/**
 * Maths in a document: in a line (`mathsInLine.ts`), and blocks of `math`. It is shown as it is written until it is drawn
 * (`view/maths`).
 */
import type { MarkdownIt, StateInline, Token } from 'markdown-it';
import { mathsAt } from './mathsInLine';

function inlineMaths(state: StateInline, isSilent: boolean): boolean {
  const { src, pos } = state;
  const found = mathsAt(src, pos, state);
  if (!found || found.to > state.posMax) return false;
  const { tex, to, isBlock } = found;
  if (!isSilent) {
    const token = state.push('maths', '', 0);
    token.content = tex;
    token.meta = { isBlock, source: src.slice(pos, to) };
  }
  state.pos = to;
  return true;
}

/** Adds maths to a parser. */
export function maths(markdown: MarkdownIt): void {
  const quoted = markdown.utils.escapeHtml;
  markdown.inline.ruler.before('escape', 'maths', inlineMaths);
  markdown.renderer.rules.maths = (tokens, index) => {
    const { isBlock, source } = (tokens[index] as Token).meta as { isBlock: boolean; source: string };
    return `<span class="maths${isBlock ? ' maths-block' : ''}"><code>${quoted(source)}</code></span>`;
  };
  const fence = markdown.renderer.rules.fence;
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const html = fence?.(tokens, index, ...rest) ?? '';
    const isMaths = /^math\b/i.test((tokens[index] as Token).info.trim());
    return isMaths ? `<div class="maths maths-block">${html.trimEnd()}</div>\n` : html;
  };
}
