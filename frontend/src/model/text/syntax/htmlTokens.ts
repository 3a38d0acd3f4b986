/**
 * HTML in the tokens of a document: comments go, the tags of `htmlTags.ts` become tokens of their own, and all else is text.
 * Tags count in pairs only; `<details>` holds the blocks up to its end. Not here: how these tokens are drawn (`markdown.ts`).
 */
import type { StateInline, Token } from 'markdown-it';
import MarkdownIt from 'markdown-it';
import { MAX_BLOCK_CHARS, MAX_BLOCK_TOKENS, MAX_DEPTH } from '../proseBounds';
import {
  commentEnd,
  type HtmlPiece,
  type HtmlTag,
  htmlPieces,
  INLINE_TAGS,
  tagAt,
  VOID_TAGS,
} from './htmlTags';

const decode = new MarkdownIt().utils.unescapeAll;

type TokenKind = new (type: string, tag: string, nesting: -1 | 0 | 1) => Token;

/** What the token of a tag means; it is in pairs with another one, or stands for itself. */
export const tagOf = (token: Token): HtmlTag => (token.meta as { tag: HtmlTag }).tag;

/** The address that `<a name="x">` or `<a id="x">` gives its place; empty without one. Addresses are in lower case. */
export const placeName = ({ attributes }: HtmlTag): string =>
  (attributes.get('name') ?? attributes.get('id') ?? '').trim().toLowerCase();

const noComments = new WeakMap<StateInline, number>();

/** The rule for what begins with `<` in a line: a comment or one of the tags. */
export function inlineHtml(state: StateInline, isSilent: boolean): boolean {
  const { src, pos } = state;
  if (src.charCodeAt(pos) !== 0x3c) return false;
  if (src.startsWith('<!--', pos)) {
    // Once none ends, none after it does.
    const end = pos >= (noComments.get(state) ?? Infinity) ? -1 : commentEnd(src, pos);
    if (end < 0) noComments.set(state, pos);
    if (end < 0 || end > state.posMax) return false;
    state.pos = end;
    return true;
  }
  const tag = tagAt(src, pos, decode);
  if (!tag || !INLINE_TAGS.has(tag.name) || pos + tag.source.length > state.posMax) return false;
  if (!isSilent) {
    if (state.pending) state.pushPending();
    state.tokens.push(tokenOf(state.Token, tag));
  }
  state.pos += tag.source.length;
  return true;
}

function tokenOf(Kind: TokenKind, tag: HtmlTag): Token {
  if (tag.name === 'img' && !tag.isClosing) return imageOf(Kind, tag);
  const token = new Kind('html_tag', tag.name, 0);
  token.meta = { tag };
  return token;
}

/** The same as `![alt](src)` makes, with the width that was given to it. */
function imageOf(Kind: TokenKind, { attributes }: HtmlTag): Token {
  const token = new Kind('image', 'img', 0);
  token.attrs = [['src', attributes.get('src') ?? '']];
  const width = /^\d{1,5}/.exec(attributes.get('width')?.trim() ?? '')?.[0];
  if (width) token.attrs.push(['width', width]);
  token.children = [textOf(Kind, attributes.get('alt') ?? '')];
  return token;
}

function textOf(Kind: TokenKind, content: string): Token {
  const token = new Kind('text', '', 0);
  token.content = content;
  return token;
}

const asText = (token: Token): void => {
  token.content = tagOf(token).source;
  token.type = 'text';
};

/** Makes text of the tags without a partner, and of those in too many others; named places need none. */
export function pairTags(tokens: readonly Token[]): void {
  const open: (Token | null)[] = []; // Null for what Markdown has begun: emphasis, links.
  const leave = (token: Token | null | undefined) => {
    if (token && !isPlace(token)) asText(token);
  };
  for (const token of tokens) {
    const isTag = token.type === 'html_tag';
    if (isTag && VOID_TAGS.has(token.tag) && !tagOf(token).isClosing) continue;
    if (isTag && !tagOf(token).isClosing) open.push(token);
    else if (isTag) close(token);
    else if (token.nesting === 1) open.push(null);
    else if (token.nesting === -1) {
      while (open.length && open.at(-1)) leave(open.pop());
      open.pop();
    }
  }
  for (const token of open) leave(token);

  function close(token: Token): void {
    const opening = open.at(-1);
    if (opening?.tag !== token.tag) {
      asText(token);
      return;
    }
    open.pop();
    const isInert = open.length >= MAX_DEPTH || (token.tag === 'a' && !isPlace(opening));
    if (!isInert) return;
    leave(opening);
    asText(token);
  }
}

const isPlace = (token: Token): boolean => token.tag === 'a' && placeName(tagOf(token)) !== '';

/**
 * Puts what is shown of HTML blocks in their place: `html_text`, `details_open`, `html_summary`, `details_close`.
 *
 * @param sizeOf characters between two lines
 */
export function withHtmlBlocks(
  tokens: readonly Token[],
  Kind: TokenKind,
  sizeOf: (fromLine: number, toLine: number) => number,
): Token[] {
  const all = tokens.flatMap((token) => (token.type === 'html_block' ? shownOf(token, Kind) : [token]));
  if (all.length === tokens.length && !all.some(({ type }) => type === 'details_open')) return all;
  return nested(all, paired(all, sizeOf), Kind);
}

/** What is shown of one HTML block, tags of details not yet in pairs. */
function shownOf(block: Token, Kind: TokenKind): Token[] {
  const found: Token[] = [];
  const add = (type: string, pieces: readonly HtmlPiece[], tag: HtmlTag | null = null) => {
    const token = new Kind(type, '', 0);
    token.block = true;
    token.map = block.map;
    token.level = block.level;
    token.meta = tag && { tag };
    token.children = pieces.map((piece) =>
      typeof piece === 'string' ? textOf(Kind, piece) : tokenOf(Kind, piece),
    );
    pairTags(token.children);
    found.push(token);
  };
  const addText = (type: string, pieces: readonly HtmlPiece[]) => {
    if (pieces.some((piece) => typeof piece !== 'string' || piece.trim())) add(type, pieces);
  };
  const pieces = htmlPieces(block.content, decode);
  if (block.content.length > MAX_BLOCK_CHARS) {
    // Too much to be drawn, it stays one piece, which is shown as it is written.
    addText('html_text', pieces.slice(0, MAX_DEPTH));
    return found;
  }
  let from = 0;
  for (const [at, piece] of pieces.entries()) {
    if (at < from || typeof piece === 'string' || !isOfBlocks(piece)) continue;
    if (piece.name === 'summary') {
      const end = summaryEnd(pieces, at);
      if (end < 0) continue;
      addText('html_text', pieces.slice(from, at));
      add('html_summary', pieces.slice(at + 1, end));
      from = end + 1;
    } else {
      addText('html_text', pieces.slice(from, at));
      add(piece.isClosing ? 'details_close' : 'details_open', [], piece);
      from = at + 1;
    }
  }
  addText('html_text', pieces.slice(from));
  return found;
}

const isOfBlocks = ({ name, isClosing }: HtmlTag): boolean =>
  name === 'details' || (name === 'summary' && !isClosing);

/** Where a summary ends in the same block; -1 where another tag of blocks comes first. */
function summaryEnd(pieces: readonly HtmlPiece[], at: number): number {
  for (let end = at + 1; end < pieces.length; end++) {
    const piece = pieces[end] as HtmlPiece;
    if (typeof piece === 'string' || INLINE_TAGS.has(piece.name)) continue;
    return piece.name === 'summary' && piece.isClosing ? end : -1;
  }
  return -1;
}

/** Which opening tag belongs to which closing one, as indices. */
function paired(all: readonly Token[], sizeOf: (from: number, to: number) => number): Map<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = []; // -1 for quotes and items of lists.
  for (const [at, token] of all.entries()) {
    if (token.type === 'details_open') open.push(at);
    else if (token.type === 'details_close') {
      const from = open.at(-1) ?? -1;
      if (from < 0) continue;
      open.pop();
      const size = sizeOf(all[from]?.map?.[0] ?? 0, token.map?.[1] ?? 0);
      // Larger than a block may be, it is shown unfolded.
      const isFold = open.length < MAX_DEPTH && size <= MAX_BLOCK_CHARS && at - from < MAX_BLOCK_TOKENS;
      if (isFold) ends.set(from, at);
    } else if (token.nesting === 1) open.push(-1);
    else if (token.nesting === -1) {
      while (open.length && open.at(-1) !== -1) open.pop();
      open.pop();
    }
  }
  return ends;
}

/** With what lies in details a level deeper, and the tags without a partner as text. */
function nested(all: readonly Token[], ends: ReadonlyMap<number, number>, Kind: TokenKind): Token[] {
  const closing = new Set(ends.values());
  let depth = 0;
  for (const [at, token] of all.entries()) {
    const end = ends.get(at);
    if (closing.has(at)) depth -= 1;
    token.level += depth;
    if (end !== undefined) {
      depth += 1;
      token.nesting = 1;
      token.map = [token.map?.[0] ?? 0, all[end]?.map?.[1] ?? 0];
    } else if (closing.has(at)) token.nesting = -1;
    else if (token.type === 'details_open' || token.type === 'details_close') {
      token.type = 'html_text';
      token.children = [textOf(Kind, tagOf(token).source)];
    } else if (token.type === 'html_summary' && all[at - 1]?.type !== 'details_open')
      token.type = 'html_text';
  }
  return [...all];
}
