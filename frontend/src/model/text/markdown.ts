/**
 * Markdown to HTML, the first of two barriers: raw HTML is shown as text, images are never loaded from elsewhere. Not
 * here: the second barrier (`view/prose/sanitise.ts`), and what a click on a link does.
 */
import MarkdownIt, { type Token } from 'markdown-it';

const markdown = new MarkdownIt('default', { html: false, linkify: true, typographer: false });

markdown.renderer.rules.image = (tokens, index, options, env, renderer) => {
  const token = tokens[index] as Token;
  const alt = renderer.renderInlineAsText(token.children ?? [], options, env);
  return placeholderFor(String(token.attrGet('src') ?? ''), alt);
};

// Tables carry their alignment in a style attribute, which the security policy of the pages forbids.
for (const rule of ['th_open', 'td_open'] as const) {
  markdown.renderer.rules[rule] = (tokens, index, options, _env, renderer) => {
    const token = tokens[index] as Token;
    const alignment = /text-align:\s*(left|center|right)/.exec(String(token.attrGet('style') ?? ''))?.[1];
    token.attrs = alignment ? [['class', `align-${alignment}`]] : null;
    return renderer.renderToken(tokens, index, options);
  };
}

// Wide tables scroll in a frame of their own instead of widening the page.
markdown.renderer.rules.table_open = () => '<div class="table-frame"><table>';
markdown.renderer.rules.table_close = () => '</table></div>';

markdown.core.ruler.after('inline', 'tasks', (state) => {
  state.tokens.forEach((token, index) => {
    const first = token.children?.[0];
    const isItem =
      state.tokens[index - 1]?.type === 'paragraph_open' &&
      state.tokens[index - 2]?.type === 'list_item_open';
    const mark = /^\[([ xX])\] /.exec(first?.content ?? '');
    if (!isItem || !first || first.type !== 'text' || !mark) return;
    first.content = first.content.slice(4);
    const box = new state.Token('task', '', 0);
    box.meta = { isDone: mark[1] !== ' ' };
    token.children?.unshift(box);
    state.tokens[index - 2]?.attrJoin('class', 'task');
  });
});

markdown.renderer.rules.task = (tokens, index) => {
  const { isDone } = (tokens[index] as Token).meta as { isDone: boolean };
  return `<span class="task-box${isDone ? ' done' : ''}" role="img" aria-label="${isDone ? 'Done' : 'To do'}"></span>`;
};

/** The placeholder of an image: its description and its address, which is not loaded. */
function placeholderFor(source: string, alt: string): string {
  const quoted = markdown.utils.escapeHtml;
  const name = alt || 'Image';
  const address = /^https?:\/\//i.test(source) ? source : null;
  const host = address ? (/^https?:\/\/([^/?#]+)/i.exec(address)?.[1] ?? '') : 'not shown';
  const text = `<span class="image-name">${quoted(name)}</span> <span class="image-host">${quoted(host)}</span>`;
  if (!address) return `<span class="image-placeholder">${text}</span>`;
  return `<a class="image-placeholder" href="${quoted(address)}" title="Open the image in a new tab">${text}</a>`;
}

// Replaced by a drawing later; until then, and where drawing fails, the source is shown.
const fence = markdown.renderer.rules.fence;
markdown.renderer.rules.fence = (tokens, index, ...rest) => {
  const shown = fence?.(tokens, index, ...rest) ?? '';
  const isMermaid = /^mermaid\b/i.test((tokens[index] as Token).info.trim());
  return isMermaid ? `<div class="mermaid-block">${shown.trimEnd()}</div>\n` : shown;
};

/** A top-level block. */
export interface Block {
  /** The line it begins on, from 0. */
  line: number;
  heading: { level: number; title: string } | null;
}

/** The parsed text. */
export const documentTokens = (text: string): Token[] => markdown.parse(text, {});

/** The top-level blocks, one for each element that `markdownToHtml` returns. */
export function blocksOf(text: string): Block[] {
  const tokens = documentTokens(text);
  return tokens.flatMap((token, index) => {
    if (token.level !== 0 || token.nesting < 0 || !token.map) return [];
    const isHeading = token.type === 'heading_open';
    const inline = tokens[index + 1]?.children ?? [];
    const heading = isHeading ? { level: Number(token.tag.slice(1)), title: plainText(inline) } : null;
    return [{ line: token.map[0], heading }];
  });
}

const plainText = (inline: Token[]): string =>
  inline
    .map(({ type, content }) => (type === 'softbreak' || type === 'hardbreak' ? ' ' : content))
    .join('')
    .trim();

/** Renders Markdown; the result still has to be sanitised before it may enter a page. */
export function markdownToHtml(text: string): string {
  return markdown.render(text);
}
