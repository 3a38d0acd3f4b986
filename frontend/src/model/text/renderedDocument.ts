/**
 * A document rendered block by block, kept from one text to the next: what a change cannot reach is neither parsed nor
 * rendered again. The blocks are those of `markdownToHtml(text)`, to the character, whatever the texts before were.
 *
 * The parser comes to each top-level block in the same state, so what follows depends on the rest of the text alone; and it
 * looks no further past the end of a block than the first two lines of the next. So a change is parsed from a few blocks
 * before it up to where a block begins that began there before. Where a change could reach further (`REACHES`), the whole text
 * is parsed. Not here: sanitising, and the page (`view/document/drawnBlocks.ts`).
 */
import type { Env, Token } from 'markdown-it';
import { baseAnchor, numbered } from './anchors';
import { ANCHOR, htmlOf, type Parsed, parsedBlocks } from './markdown';
import { partStarts, sizeOf } from './proseBounds';

/** A part of a document that is drawn at once. */
export interface RenderedPart {
  /** The HTML of each block, one element; still has to be sanitised before it may enter a page. */
  blocks: string[];
  /** The line of each, from 0. */
  lines: number[];
  /** Which part it is, from 0, and of how many. */
  at: number;
  of: number;
  /** The line on which the next part begins; null in the last. */
  next: number | null;
}

interface KeptBlock {
  /** Units from the start of the text. */
  from: number;
  /** The line it begins on, from 0. */
  line: number;
  /** Its lines. */
  source: string;
  /** How many tokens it has. */
  tokens: number;
  /** The titles of the headings in it, as they are written. */
  titles: string[];
  /** The addresses of those headings, as attributes that `html` has. */
  anchors: string[];
  /** Null until it is drawn, and after something that it depends on has changed. */
  html: string | null;
  /** As it was parsed in its document, where by itself it may read otherwise; null after it was drawn. */
  parsed: Token[] | null;
}

/** So many blocks before a change are parsed again; the parser looks ahead into one. */
const BEFORE = 3;
/** So many blocks are parsed past the one from which on nothing is new. */
const BEHIND = 3;
/** What other blocks, anywhere in the text, may have to do with: definitions, HTML that is closed elsewhere, footnotes. */
const REACHES = /\]:|<|\[\^/;
/** Begins a block that is read otherwise at the top of a text, as its front matter. */
const FRONT = '---';

export class RenderedDocument {
  private text = '';
  private blocks: KeptBlock[] = [];
  private env: Env = {};

  /** Renders the part of a text that contains a line; documents of usual length are one part. */
  partAt(text: string, line: number): RenderedPart {
    this.update(normalized(text));
    const begins = partStarts(this.blocks.map(({ source, tokens }) => ({ chars: source.length, tokens })));
    const at = Math.max(
      0,
      begins.findLastIndex((begin) => (this.blocks[begin]?.line ?? 0) <= line),
    );
    const part = this.blocks.slice(begins[at], begins[at + 1]);
    const following = begins[at + 1];
    return {
      blocks: part.map((block) => this.htmlOf(block)),
      lines: part.map((block) => block.line),
      at,
      of: begins.length,
      next: following === undefined ? null : (this.blocks[following]?.line ?? null),
    };
  }

  private htmlOf(block: KeptBlock): string {
    block.html ??= block.parsed
      ? htmlOf({ blocks: [{ tokens: block.parsed, fromLine: 0, toLine: 0 }], env: this.env })
      : rendered(block, this.env);
    block.parsed = null;
    return block.html;
  }

  private update(text: string): void {
    if (text === this.text) return;
    const isAround = this.parseAround(changeBetween(this.text, text), text);
    this.text = text;
    if (!isAround || !this.addressHeadings()) this.parse(text);
  }

  /** Parses the blocks around a change. Returns false where it may reach further; then nothing is changed. */
  private parseAround({ from, to, by }: Change, text: string): boolean {
    const { blocks } = this;
    if (this.hasFootnotes || text.startsWith(FRONT) || this.text.startsWith(FRONT)) return false;
    const first = Math.max(0, blocks.findLastIndex((block) => block.from <= from) - BEFORE);
    const { from: start, line } = first === 0 ? { from: 0, line: 0 } : (blocks[first] as KeptBlock);
    const next = blocks.findIndex((block) => block.from > to);
    const behind = next < 0 ? blocks.length : next;
    for (let more = 2 * BEHIND; ; more *= 4) {
      const end = Math.min(blocks.length, behind + more);
      const until = blocks[end]?.from ?? this.text.length;
      const piece = text.slice(start, until + by);
      if (piece.startsWith(FRONT) || REACHES.test(piece)) return false;
      if (REACHES.test(this.text.slice(start, until))) return false;
      const parsed = keptBlocks(parsedBlocks(piece), piece, start, line);
      const isWhole = end === blocks.length;
      const places = new Map(parsed.map((block, index) => [block.from - by, index]));
      const same = blocks
        .slice(behind, isWhole ? end : end - BEHIND)
        .findIndex((block) => places.has(block.from));
      if (same < 0 && !isWhole) continue;
      const rest = same < 0 ? [] : blocks.slice(behind + same);
      const fresh = rest[0] ? parsed.slice(0, places.get(rest[0].from)) : parsed;
      const lines = rest[0] ? (parsed[fresh.length] as KeptBlock).line - rest[0].line : 0;
      for (const block of rest) {
        block.from += by;
        block.line += lines;
      }
      const replaced = blocks.slice(first, blocks.length - rest.length);
      this.blocks = [...blocks.slice(0, first), ...withHtmlOf(replaced, fresh), ...rest];
      return true;
    }
  }

  /** Parses the whole text. */
  private parse(text: string): void {
    const parsed = parsedBlocks(text);
    const { env } = parsed;
    const isDefinedAlike = JSON.stringify(env.references) === JSON.stringify(this.env.references);
    const isKept = isDefinedAlike && !this.hasFootnotes && !hasFootnotes(env);
    this.env = env;
    const blocks = keptBlocks(parsed, text, 0, 0);
    for (const [index, block] of blocks.entries())
      if (hasFootnotes(env) || REACHES.test(block.source))
        block.parsed = parsed.blocks[index]?.tokens ?? null;
    this.blocks = withHtmlOf(isKept ? this.blocks : [], blocks);
    for (const block of this.blocks) if (block.parsed) block.html = null;
    if (!hasFootnotes(env)) this.addressHeadings();
  }

  private get hasFootnotes(): boolean {
    return hasFootnotes(this.env);
  }

  /**
   * Gives headings their addresses, which depend on all headings before them. Returns false where one has another now that
   * can be drawn only as it was parsed in its document.
   */
  private addressHeadings(): boolean {
    const withHeadings = this.blocks.filter(({ titles }) => titles.length > 0);
    const titles = withHeadings.flatMap((block) => block.titles);
    const anchors = numbered(titles.map((title) => baseAnchor(title, this.env.references ?? {})));
    let at = 0;
    for (const block of withHeadings) {
      const own = anchors.slice(at, at + block.titles.length);
      at += own.length;
      if (block.parsed || own.every((anchor, index) => anchor === block.anchors[index])) continue;
      if (REACHES.test(block.source)) return false;
      block.anchors = own;
      block.html = null;
    }
    return true;
  }
}

const hasFootnotes = ({ footnotes }: Env): boolean => ((footnotes as Map<string, unknown>)?.size ?? 0) > 0;

/** As the parser reads it. */
const normalized = (text: string): string => {
  const whole = text.startsWith('\ufeff') ? text.slice(1) : text;
  return whole.includes('\r') ? whole.replace(/\r\n?/g, '\n') : whole;
};

/** What is rendered stays where a block reads the same. */
function withHtmlOf(before: readonly KeptBlock[], blocks: readonly KeptBlock[]): KeptBlock[] {
  const known = new Map(before.map((block) => [block.source, block]));
  return blocks.map((block) => {
    const same = known.get(block.source);
    return same && !block.parsed ? { ...block, anchors: same.anchors, html: same.html } : block;
  });
}

/** A block by itself reads as it does in its document. */
function rendered({ source, anchors }: KeptBlock, env: Env): string {
  const parsed = parsedBlocks(source, { ...env });
  for (const [index, heading] of parsed.headings.entries()) heading.attrSet(ANCHOR, anchors[index] ?? '');
  return htmlOf(parsed);
}

/** The blocks of a parsed piece of the text that begins there. */
function keptBlocks(parsed: Parsed, piece: string, from: number, line: number): KeptBlock[] {
  const { blocks, headings, titles, starts, length } = parsed;
  let heading = 0;
  return blocks.map((block) => {
    const first = heading;
    while ((headings[heading]?.map?.[0] ?? Number.POSITIVE_INFINITY) < block.toLine) heading += 1;
    const start = starts[block.fromLine] ?? length;
    return {
      from: from + start,
      line: line + block.fromLine,
      source: piece.slice(start, start + sizeOf(block, starts, length)),
      tokens: block.tokens.length,
      titles: titles.slice(first, heading),
      anchors: headings.slice(first, heading).map((token) => String(token.attrGet(ANCHOR))),
      html: null,
      parsed: null,
    };
  });
}

/** `[from, to)` of a text is replaced; the texts end alike from there on. */
interface Change {
  from: number;
  to: number;
  /** By how much what follows has moved. */
  by: number;
}

function changeBetween(before: string, after: string): Change {
  const most = Math.min(before.length, after.length);
  const from = sameFor(most, (at, end) => before.slice(at, end) === after.slice(at, end));
  const ends = (text: string, at: number, end: number) => text.slice(text.length - end, text.length - at);
  const same = sameFor(most - from, (at, end) => ends(before, at, end) === ends(after, at, end));
  return { from, to: before.length - same, by: after.length - before.length };
}

/** How far two texts are the same, at most so far. Pieces are compared: one character at a time takes 20 times as long. */
function sameFor(most: number, isSame: (at: number, end: number) => boolean): number {
  let at = 0;
  for (const size of [1 << 16, 1 << 12, 1 << 8, 1 << 4, 1])
    while (at + size <= most && isSame(at, at + size)) at += size;
  return at;
}
