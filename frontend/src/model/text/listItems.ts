/** Moving list items to another level, with what is nested in them and the numbers of their lists. Pure. */
import { type Formatted, linesOf, movedBy, type Stretch } from './formatting';
import type { TextChange } from './tasks';

interface Line {
  from: number;
  text: string;
  /** The marks of quotes before it. */
  quote: string;
  /** The width of the blanks before its text. */
  indent: number;
  isBlank: boolean;
  /** Null for a line that is no item; `number` is null in a bulleted list. */
  item: { width: number; number: number | null; digits: string } | null;
}

const LINE = /^((?:\s{0,3}> ?)*)(\s*)(?:((\d{1,9})[.)]|[-*+])(\s+|$))?/;
/** No list reaches further from what is selected. */
const MAX_LINES = 2_000;

function lineOf({ from, text }: { from: number; text: string }): Line {
  const [, quote = '', blanks = '', mark, digits, space = ''] = LINE.exec(text) ?? [];
  const width = mark === undefined ? 0 : mark.length + Math.max(1, Math.min(space.length, 4));
  const item =
    mark === undefined ? null : { width, number: digits ? Number(digits) : null, digits: digits ?? '' };
  const isBlank = text.slice(quote.length).trim() === '';
  return { from, text, quote, indent: blanks.length, isBlank, item };
}

/**
 * Moves the selected items a level in or out; null where no item is selected. An item moves in only where there is one
 * above it to be nested in.
 */
export function indentedItems(text: string, selection: Stretch, way: 'in' | 'out'): Formatted | null {
  const selected = linesOf(text, selection);
  const { lines, first } = listAround(text, selected);
  const at = lines.findIndex(({ item }, index) => index >= first && item !== null);
  if (at < 0 || at >= first + selected.length) return null;
  const by = shift(lines, at, way);
  const last = endOf(lines, at, first + selected.length);
  const moved = lines.map((line, index) => {
    const isMoved = index >= at && index < last && !line.isBlank;
    return isMoved ? Math.max(0, line.indent + by) : line.indent;
  });
  const changes = by === 0 ? [] : changesTo(lines, moved);
  return {
    changes,
    selected: { from: movedBy(changes, selection.from), to: movedBy(changes, selection.to) },
  };
}

/** The lines of the list around the selected ones, as far as its quote and its indented lines reach. */
function listAround(
  text: string,
  selected: readonly { from: number; text: string }[],
): { lines: Line[]; first: number } {
  const start = selected[0]?.from ?? 0;
  const last = selected.at(-1) ?? { from: 0, text: '' };
  const before = text
    .slice(0, Math.max(0, start - 1))
    .split('\n')
    .slice(-MAX_LINES);
  const after = text.slice(last.from + last.text.length + 1).split('\n', MAX_LINES);
  const { quote } = lineOf(selected[0] ?? last);
  const isPart = (line: Line) =>
    line.quote.trimEnd() === quote.trimEnd() && (line.isBlank || line.item || line.indent > 0);
  const above: Line[] = [];
  let at = start;
  for (const line of start > 0 ? before.reverse() : []) {
    at -= line.length + 1;
    const read = lineOf({ from: at, text: line });
    if (!isPart(read)) break;
    above.unshift(read);
  }
  const below: Line[] = [];
  at = last.from + last.text.length + 1;
  for (const line of after) {
    const read = lineOf({ from: at, text: line });
    if (!isPart(read)) break;
    below.push(read);
    at += line.length + 1;
  }
  return { lines: [...above, ...selected.map(lineOf), ...below], first: above.length };
}

/** By how much the item at an index moves; zero where it cannot. */
function shift(lines: readonly Line[], at: number, way: 'in' | 'out'): number {
  const { indent } = lines[at] as Line;
  const outer = lines
    .slice(0, at)
    .findLast(
      ({ item, indent: other }) => item !== null && (way === 'in' ? other <= indent : other < indent),
    );
  if (way === 'out') return (outer?.indent ?? 0) - indent;
  return outer?.item ? Math.max(0, outer.indent + outer.item.width - indent) : 0;
}

/** Where what is nested in the item at an index ends, and not before `end`. */
function endOf(lines: readonly Line[], at: number, end: number): number {
  const { indent } = lines[at] as Line;
  let last = end;
  while (last < lines.length && ((lines[last] as Line).isBlank || (lines[last] as Line).indent > indent))
    last += 1;
  return last;
}

/** Changes that give each line its indentation, and items the numbers that follow. */
function changesTo(lines: readonly Line[], indents: readonly number[]): TextChange[] {
  const numbers = renumbered(lines, indents);
  return lines.flatMap((line, index) => {
    const from = line.from + line.quote.length;
    const indent = indents[index] as number;
    const number = numbers[index];
    const to = from + line.indent;
    // The blank after the mark of a quote stays.
    const isMoved = indent !== line.indent;
    const digits = line.item?.digits ?? '';
    return [
      ...(isMoved ? [{ from, to, insert: ' '.repeat(indent) }] : []),
      ...(number !== undefined && String(number) !== digits
        ? [{ from: to, to: to + digits.length, insert: String(number) }]
        : []),
    ];
  });
}

/** The numbers of items after a move: a moved one follows the one above it, others go on counting if they did. */
function renumbered(lines: readonly Line[], indents: readonly number[]): (number | undefined)[] {
  const numbers = lines.map(({ item }) => item?.number ?? undefined);
  const before = siblingsAbove(
    lines,
    lines.map(({ indent }) => indent),
  );
  const now = [...numbers];
  siblingsAbove(lines, indents).forEach((above, index) => {
    const number = numbers[index];
    if (number === undefined) return;
    const isMoved = indents[index] !== lines[index]?.indent;
    const isCounting = number === (numbers[before[index] ?? -1] ?? Number.NaN) + 1;
    if (isMoved || isCounting) now[index] = (now[above ?? -1] ?? 0) + 1;
  });
  return now;
}

/** For each item the index of the one above it on its level; undefined for none. */
function siblingsAbove(lines: readonly Line[], indents: readonly number[]): (number | undefined)[] {
  const open: number[] = [];
  const indentOf = (index: number) => indents[index] as number;
  return lines.map(({ isBlank, item }, index) => {
    if (isBlank) return undefined;
    while (open.length > 0 && indentOf(open.at(-1) as number) > indentOf(index)) open.pop();
    if (!item) return undefined;
    const isSibling = open.length > 0 && indentOf(open.at(-1) as number) === indentOf(index);
    const above = isSibling ? open.pop() : undefined;
    open.push(index);
    return above;
  });
}
