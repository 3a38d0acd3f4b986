/**
 * The text of a heading as it reads, for its address: of links the words, of code the content, no image and no HTML.
 * The same as the server's `model/markdown/heading_text.py`, in one pass whatever stands in the title. Pure.
 */
import MarkdownIt from 'markdown-it';
import { closingRuns } from './codeSpans';

const { unescapeAll, normalizeReference } = new MarkdownIt().utils;

const MARK =
  /\\[!-/:-@[-`{-~]|`+|!?\[|\]|<|&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});|_+/g;
const AUTOLINK = /<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[^\s<>@:\\/]+@[^\s<>@:\\/]+)>/y;
const HTML =
  /<[A-Za-z][A-Za-z0-9-]*(?:\s+[A-Za-z_:][\w.:-]*(?:\s*=\s*(?:[^"'=<>`\s]+|'[^']*'|"[^"]*"))?)*\s*\/?>|<\/[A-Za-z][A-Za-z0-9-]*\s*>|<!--(?:(?!--)[^<])*-->/y;
const TARGET =
  /\(\s*(?:<[^<>\n]*>|(?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*\))*)(?:\s+(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\)))?\s*\)/y;
const LABEL = /\[([^[\]]+)\]/y;

/** An open one: an image's or a link's, with how many pieces and runs there were before it. */
interface Bracket {
  isImage: boolean;
  parts: number;
  runs: number;
}

/** The text of a title; `labels`: the reference definitions of the document, by their normalized labels. */
export function headingText(title: string, labels: object): string {
  const parts: string[] = [];
  const runs: number[] = []; // Pieces of underscores that may open emphasis.
  const open: Bracket[] = [];
  let inside = 0; // So many of the open brackets hold a link, and are none themselves.
  const closing = closingRuns(title);
  let at = 0;
  MARK.lastIndex = 0;
  for (let found = MARK.exec(title); found; found = MARK.exec(title)) {
    parts.push(title.slice(at, found.index));
    at = after(found[0], found.index);
    MARK.lastIndex = at;
  }
  return parts.join('') + title.slice(at);

  function after(mark: string, start: number): number {
    const end = start + mark.length;
    const sign = mark[0];
    if (sign === '_') return underscores(start, end);
    if (mark === ']') return close(end);
    if (mark === '<') return angle(start);
    if (sign === '`') return code(start, end);
    if (sign === '!' || sign === '[')
      open.push({ isImage: sign === '!', parts: parts.length, runs: runs.length });
    parts.push(sign === '\\' ? mark.slice(1) : sign === '&' ? unescapeAll(mark) : mark);
    return end;
  }

  function code(start: number, end: number): number {
    const close = closing(start);
    if (close === null) {
      parts.push(title.slice(start, end));
      return end;
    }
    const content = title.slice(end, close);
    const isPadded = content.startsWith(' ') && content.endsWith(' ') && /[^ ]/.test(content);
    parts.push(isPadded ? content.slice(1, -1) : content);
    return close + end - start;
  }

  function angle(start: number): number {
    const link = matchAt(AUTOLINK, title, start);
    const tag = link ?? matchAt(HTML, title, start);
    parts.push(link ? (link[1] as string) : tag ? '' : '<');
    return start + (tag?.[0].length ?? 1);
  }

  function close(end: number): number {
    const opened = open.pop();
    const isInside = open.length < inside;
    inside = Math.min(inside, open.length);
    const target = !opened || (isInside && !opened.isImage) ? null : targetAt(end);
    if (!opened || target === null) {
      parts.push(']');
      return end;
    }
    runs.length = Math.min(runs.length, opened.runs);
    if (opened.isImage) parts.length = opened.parts;
    else inside = open.length;
    return target;
  }

  function targetAt(end: number): number | null {
    const target = matchAt(TARGET, title, end);
    if (target) return end + target[0].length;
    const label = matchAt(LABEL, title, end);
    return label && normalizeReference(label[1] as string) in labels ? end + label[0].length : null;
  }

  function underscores(start: number, end: number): number {
    const [before, behind] = [
      kindOf(title.slice(Math.max(0, start - 2), start), -1),
      kindOf(title.slice(end, end + 2), 0),
    ];
    const isLeft = behind !== ' ' && (behind !== '.' || before !== '');
    const isRight = before !== ' ' && (before !== '.' || behind !== '');
    let left = end - start;
    if (isRight && (!isLeft || behind === '.')) {
      const lowest = open.at(-1)?.runs ?? 0;
      while (left && runs.length > lowest) {
        const opener = runs.at(-1) as number;
        const run = parts[opener] as string;
        const taken = Math.min(left, run.length);
        parts[opener] = run.slice(taken);
        left -= taken;
        if (taken === run.length) runs.pop();
      }
    }
    parts.push('_'.repeat(left));
    if (left && isLeft && (!isRight || before === '.')) runs.push(parts.length - 1);
    return end;
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** A blank for white space and the borders, a dot for punctuation and symbols, nothing for anything else. */
function kindOf(text: string, at: 0 | -1): ' ' | '.' | '' {
  const sign = [...text].at(at) ?? '';
  if (sign === '' || /\s/.test(sign)) return ' ';
  return /[\p{P}\p{S}]/u.test(sign) ? '.' : '';
}
