/** Alerts as code hosts have them: a quote whose first line is `[!NOTE]`, `[!TIP]` and so on. Pure. */
import type { MarkdownIt, Token } from 'markdown-it';

const MARKER = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i;

/** Makes alerts of the outermost quotes that begin with a marker and say something. */
export function markAlerts(tokens: readonly Token[]): Token[] {
  const closing = new Map<Token, string>(); // What the closing token of an alert says.
  const open: Token[] = [];
  const shown: Token[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'blockquote_open') {
      open.push(token);
      const kind = token.level === 0 ? kindOf(tokens, at) : null;
      if (kind) closing.set(token, kind);
    }
    const opening = token.type === 'blockquote_close' ? open.pop() : token;
    const kind = opening && closing.get(opening);
    if (kind && token.type.startsWith('blockquote')) {
      token.type = token.nesting === 1 ? 'alert_open' : 'alert_close';
      token.info = kind;
    }
    shown.push(token);
  }
  return closing.size ? shown.filter(({ hidden, type }) => !(hidden && type === 'alert_marker')) : shown;
}

/** The kind of alert that a quote is; its marker is taken away. */
function kindOf(tokens: readonly Token[], at: number): string | null {
  const [paragraph, inline, end] = tokens.slice(at + 1, at + 4);
  const marker = paragraph?.type === 'paragraph_open' && inline ? MARKER.exec(inline.content) : null;
  if (!marker || !paragraph || !inline || !end) return null;
  const words = inline.content.slice(marker[0].length);
  if (!words && tokens[at + 4]?.type === 'blockquote_close') return null;
  inline.content = words;
  if (!words)
    for (const token of [paragraph, inline, end])
      Object.assign(token, { type: 'alert_marker', hidden: true });
  return (marker[1] as string).toLowerCase();
}

/** Adds alerts to a parser; `markAlerts` finds them. */
export function alerts(markdown: MarkdownIt): void {
  markdown.renderer.rules.alert_open = (tokens, index) => {
    const kind = tokens[index]?.info ?? '';
    const name = kind[0]?.toUpperCase() + kind.slice(1);
    return `<div class="alert alert-${kind}" role="note" aria-label="${name}"><p class="alert-title">${name}</p>\n`;
  };
  markdown.renderer.rules.alert_close = () => '</div>\n';
}
