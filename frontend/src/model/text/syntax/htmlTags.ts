/**
 * The few tags of HTML that documents are shown with, as code hosts show them, and comments, which are hidden. Tags are
 * read, never passed on: what is drawn is made of their names and of checked attributes. Pure. Not here: what is drawn.
 */

export interface HtmlTag {
  name: string;
  isClosing: boolean;
  /** By name, in lower case; the first one counts. Values without entities. */
  attributes: ReadonlyMap<string, string>;
  /** As it is written. */
  source: string;
}

/** Of a text: a comment, a tag, or what lies between. */
export type HtmlPiece = string | HtmlTag;

/** Tags in a line of text. */
export const INLINE_TAGS = new Set(['a', 'br', 'img', 'kbd', 'sub', 'sup']);
/** Tags that stand for themselves. */
export const VOID_TAGS = new Set(['br', 'img']);
/** Tags that hold blocks or stand before them. */
export const BLOCK_TAGS = new Set(['details', 'summary']);

const NAME = /<(\/?)(a|br|img|kbd|sub|sup|details|summary)(?=[\s/>])/iy;
const ATTRIBUTE = /\s+([a-z_:][\w.:-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/iy;
const END = /\s*\/?>/y;
const ENTITY = /&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});/gi;
/** A longer tag is text, so that the search for its end is bounded. */
const MAX_TAG = 2_000;

/** The tag that begins at a position of a text; null where none of those does. */
export function tagAt(text: string, at: number, decode: (entity: string) => string): HtmlTag | null {
  NAME.lastIndex = at;
  const name = NAME.exec(text);
  if (!name) return null;
  const rest = text.slice(at, at + MAX_TAG);
  const attributes = new Map<string, string>();
  let end = name[0].length;
  for (let found = matchAt(ATTRIBUTE, rest, end); found; found = matchAt(ATTRIBUTE, rest, end)) {
    const [whole, key = '', double, single, bare] = found;
    const value = (double ?? single ?? bare ?? '').replace(ENTITY, decode);
    if (!attributes.has(key.toLowerCase())) attributes.set(key.toLowerCase(), value);
    end += whole.length;
  }
  const closing = matchAt(END, rest, end);
  if (!closing) return null;
  const source = rest.slice(0, end + closing[0].length);
  return { name: (name[2] as string).toLowerCase(), isClosing: name[1] === '/', attributes, source };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Where a comment ends that begins at a position, or -1 where it does not end. */
export function commentEnd(text: string, at: number): number {
  if (text.startsWith('<!-->', at)) return at + 5;
  if (text.startsWith('<!--->', at)) return at + 6;
  const end = text.indexOf('-->', at + 4);
  return end < 0 ? -1 : end + 3;
}

/** A text as tags and what lies between them, without comments; one that does not end hides the rest, as on the web. */
export function htmlPieces(html: string, decode: (entity: string) => string): HtmlPiece[] {
  const pieces: HtmlPiece[] = [];
  let [from, at] = [0, html.indexOf('<')];
  const take = (piece: HtmlPiece | null, end: number) => {
    if (at > from) pieces.push(html.slice(from, at).replace(ENTITY, decode));
    if (piece) pieces.push(piece);
    from = end;
  };
  while (at >= 0) {
    const tag = html.startsWith('<!--', at) ? null : tagAt(html, at, decode);
    if (tag) take(tag, at + tag.source.length);
    else if (html.startsWith('<!--', at)) {
      const end = commentEnd(html, at);
      take(null, end < 0 ? html.length : end);
    }
    at = html.indexOf('<', Math.max(from, at + 1));
  }
  at = html.length;
  take(null, at);
  return pieces;
}
