/**
 * Maths in a document: `$…$` in a line, `$$…$$` on its own, and blocks of `math`. By the rules of code hosts and pandoc, so that
 * prices stay text. It is shown as it is written until it is drawn (`view/maths`).
 */
import type { MarkdownIt, StateInline, Token } from 'markdown-it';

const isBlank = (sign: string | undefined): boolean => sign === undefined || /\s/.test(sign);
const isWord = (sign: string | undefined): boolean => sign !== undefined && /[\p{L}\p{N}_$\\]/u.test(sign);

/** Dollar signs without a backslash: where each run of them begins, in order, and how many it has. */
function runsIn(text: string): { starts: number[]; lengths: number[] } {
  const runs = { starts: [] as number[], lengths: [] as number[] };
  for (let at = text.indexOf('$'); at >= 0; ) {
    let end = at + 1;
    while (text[end] === '$') end += 1;
    if (text[at - 1] !== '\\') {
      runs.starts.push(at);
      runs.lengths.push(end - at);
    }
    at = text.indexOf('$', end);
  }
  return runs;
}

const known = new WeakMap<StateInline, ReturnType<typeof runsIn>>();

/** What begins with one sign ends at the next one, if no blank stands before that and no digit behind it. */
function inlineMaths(state: StateInline, isSilent: boolean): boolean {
  const { src, pos } = state;
  if (src.charCodeAt(pos) !== 0x24 || isWord(src[pos - 1])) return false;
  const signs = src[pos + 1] === '$' ? 2 : 1;
  const from = pos + signs;
  if (src[from] === '$') return false;
  const runs = known.get(state) ?? runsIn(src);
  known.set(state, runs);
  const next = firstFrom(runs.starts, from);
  const end = runs.starts[next];
  if (end === undefined || runs.lengths[next] !== signs) return false;
  const isPrice = isBlank(src[from]) || isBlank(src[end - 1]) || /\d/.test(src[end + 1] ?? '');
  const tex = src.slice(from, end);
  const to = end + signs;
  if ((signs === 1 && isPrice) || !tex.trim() || to > state.posMax) return false;
  if (!isSilent) {
    const token = state.push('maths', '', 0);
    token.content = tex;
    token.meta = { isBlock: signs === 2, source: src.slice(pos, to) };
  }
  state.pos = to;
  return true;
}

/** The index of the first of ascending numbers that is not below another one. */
function firstFrom(all: readonly number[], least: number): number {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((all[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return low;
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
