/**
 * Bounds on what is drawn of a document, so that no text can make the page slow: blocks that are too large become plain
 * text with a note, and a long document is drawn in parts. Pure. Not here: parsing (`markdown.ts`).
 */
import type { Token } from 'markdown-it';

/** A top-level block with more characters, more elements, or deeper nesting is shown as text. */
export const MAX_BLOCK_CHARS = 50_000;
export const MAX_BLOCK_TOKENS = 20_000;
/** The parser leaves out, without a word, what is nested deeper than 100 levels. */
export const MAX_DEPTH = 50;
/** As much of such a text is shown. */
export const MAX_SHOWN_CHARS = 20_000;
/** A part of a long document that is drawn at once. */
export const PART_CHARS = 150_000;
export const PART_TOKENS = 30_000;

/** A top-level block of the parsed text: its tokens, and its lines, `[fromLine, toLine)` from 0. */
export interface RawBlock {
  tokens: Token[];
  fromLine: number;
  toLine: number;
  /** Its characters, where they do not stand on these lines alone. */
  size?: number;
}

/** The tokens of a text as top-level blocks. */
export function rawBlocks(tokens: readonly Token[]): RawBlock[] {
  const blocks: RawBlock[] = [];
  for (const token of tokens) {
    if (token.level === 0 && token.nesting >= 0 && token.type !== 'inline') {
      const [fromLine, toLine] = token.map ?? [blocks.at(-1)?.toLine ?? 0, blocks.at(-1)?.toLine ?? 0];
      blocks.push({ tokens: [], fromLine, toLine });
    }
    blocks.at(-1)?.tokens.push(token);
  }
  return blocks;
}

/** The number of characters of a block in the source. */
export const sizeOf = (
  { fromLine, toLine, size }: RawBlock,
  starts: readonly number[],
  length: number,
): number => size ?? (starts[toLine] ?? length) - (starts[fromLine] ?? length);

export const isTooLarge = (block: RawBlock, size: number): boolean =>
  size > MAX_BLOCK_CHARS ||
  block.tokens.length > MAX_BLOCK_TOKENS ||
  block.tokens.some(({ level }) => level > MAX_DEPTH);

/** Where the parts of a document begin, as indices of blocks; always at least one part. */
export function partStarts(weights: readonly { chars: number; tokens: number }[]): number[] {
  const starts = [0];
  let [chars, tokens] = [0, 0];
  for (const [index, weight] of weights.entries()) {
    chars += Math.min(weight.chars, MAX_BLOCK_CHARS);
    tokens += Math.min(weight.tokens, MAX_BLOCK_TOKENS);
    if ((chars <= PART_CHARS && tokens <= PART_TOKENS) || index === starts.at(-1)) continue;
    starts.push(index);
    chars = Math.min(weight.chars, MAX_BLOCK_CHARS);
    tokens = Math.min(weight.tokens, MAX_BLOCK_TOKENS);
  }
  return starts;
}

/** The start of a text that is too long, and the words for what was left out. */
export function cutText(text: string): { head: string; note: string } {
  const isCut = text.length > MAX_SHOWN_CHARS;
  const head = isCut ? wholeCharacters(text.slice(0, MAX_SHOWN_CHARS)) : text;
  const rest = text.length - head.length;
  return {
    head,
    note: isCut
      ? `This part is too long to draw; shown as text, without its last ${rest.toLocaleString('en')} characters.`
      : 'This part is too long to draw; shown as text.',
  };
}

/** Without half a surrogate pair at the end. */
function wholeCharacters(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
