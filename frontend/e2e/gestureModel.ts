/** The text of a document as a string, and what keys make of it where the caret is. Not here: pressing them, and looks. */

interface Selected {
  anchor: number;
  head: number;
}

/** What is seen of the editor ahead of a gesture; `cell`: the words of the edited cell, and what is selected of them. */
export interface Seen extends Selected {
  text: string;
  /** How often something can be undone, and done again. */
  depth: { undo: number; redo: number };
  cell: (Selected & { text: string }) | null;
}

export type Pressed = 'Enter' | 'Backspace' | 'Delete';

interface Step {
  from: number;
  to: number;
  insert: string;
}

const ROW = /^\|(?: (?:\\.|[^|\\])*\|){3}$/;
const MARKED = /^\s*(?:[-*+>]|\d+[.)])(?:\s|$)/;
/** The mark of an item with words, of which none but a single blank keeps the box apart. */
const ITEM = /^- (?:\[[ x]\] (?=\S)|(?!\[[ x]\] )(?=\S))/;
const HEAD_OF_ITEM = /^-(?: |$)/;
/** Lines above which no list goes on. */
const ENDS_LISTS = /^(?:#{1,6} |```|>|---)/;
/** Where a list of completions may be open, which takes keys. */
const COMPLETED = /[[/@][^\]\s]*$/;

export class Written {
  /** All texts in the order in which they were; the last one is that of now. */
  private texts: string[];

  constructor(text: string) {
    this.texts = [text];
  }

  get text(): string {
    return this.texts.at(-1) as string;
  }

  wasOnce(text: string): boolean {
    return this.texts.includes(text);
  }

  goBackTo(text: string): void {
    this.texts.length = this.texts.lastIndexOf(text) + 1;
  }

  /** Typing; false where there is no rule for it, and nothing is to be typed. */
  type(seen: Seen, typed: string): boolean {
    let text = this.text;
    const texts: string[] = [];
    const { from, to } = bounds(seen.cell ?? seen);
    let at = from;
    let words = seen.cell?.text ?? '';
    for (const letter of typed) {
      const step = { from: at, to: at === from && texts.length === 0 ? to : at, insert: letter };
      if (seen.cell) {
        const start = seen.head - seen.cell.head;
        const typedIn = apply(words, step);
        text = apply(text, { from: start, to: start + words.length, insert: asCell(typedIn) });
        // Backslashes that others need behind it are not passed.
        at = asCell(typedIn.slice(0, at + letter.length)).length;
        words = asCell(typedIn);
      } else {
        text = apply(text, step);
        at += letter.length;
      }
      texts.push(text);
    }
    return this.take(texts);
  }

  press(seen: Seen, key: Pressed): boolean {
    const { text } = this;
    if (seen.cell) return key === 'Enter' ? this.down(seen) : this.deleteInCell(seen, seen.cell, key);
    const step = key === 'Enter' ? brokenLine(text, seen) : deletion(text, seen, key);
    return step !== null && this.take([apply(text, step)]);
  }

  /** Tab in the last cell makes a row. */
  tab(seen: Seen): void {
    const line = lineAt(this.text, seen.head);
    const ahead = this.text.slice(line.from, seen.head).replace(/\\./g, '').split('|').length - 1;
    if (ahead === 3) this.down(seen);
  }

  /** Turns the box in the line of a position. */
  tick(at: number): boolean {
    const { from, to } = lineAt(this.text, at);
    const line = this.text.slice(from, to);
    const turned = line.replace(/\[( |x)\]/, (_box, mark) => (mark === 'x' ? '[ ]' : '[x]'));
    return turned !== line && this.take([apply(this.text, { from, to, insert: turned })]);
  }

  /** To the next row, which is made below the last one. */
  private down(seen: Seen): boolean {
    const { from, to } = lineAt(this.text, seen.head);
    const isHead = this.text.slice(to + 1).startsWith('| ---');
    const isLast = !isHead && !this.text.startsWith('|', to + 1);
    return (
      from < 0 || !isLast || this.take([apply(this.text, { from: to, to, insert: `\n|${'  |'.repeat(3)}` })])
    );
  }

  private deleteInCell(seen: Seen, cell: Selected & { text: string }, key: 'Backspace' | 'Delete'): boolean {
    const { text } = this;
    const start = seen.head - cell.head;
    const step = deletion(cell.text, cell, key);
    if (!step) return false;
    const words = asCell(apply(cell.text, step));
    const end = start + cell.text.length;
    const isOpen = /(?:^|[^\\])(?:\\\\)*\\$/.test(words) && text[end] === '|';
    return this.take([apply(text, { from: start, to: end, insert: isOpen ? `${words} ` : words })]);
  }

  private take(texts: string[]): boolean {
    if (!texts.every(isPlain)) return false;
    this.texts.push(...texts);
    return true;
  }
}

const bounds = ({ anchor, head }: Selected) => ({ from: Math.min(anchor, head), to: Math.max(anchor, head) });

const apply = (text: string, { from, to, insert }: Step): string =>
  text.slice(0, from) + insert + text.slice(to);

function lineAt(text: string, at: number): { from: number; to: number } {
  const end = text.indexOf('\n', at);
  return { from: text.lastIndexOf('\n', at - 1) + 1, to: end < 0 ? text.length : end };
}

/** A `|` has a backslash ahead of it. */
function asCell(words: string): string {
  let cell = '';
  let isEscaped = false;
  for (const letter of words) {
    cell += letter === '|' && !isEscaped ? '\\|' : letter;
    isEscaped = letter === '\\' && !isEscaped;
  }
  return cell;
}

/** Whether the table still stands by itself, each row with three cells, and enough is left to go on with. */
function isPlain(text: string): boolean {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => line.startsWith('|'));
  if (first < 1 || text.length < 250) return false;
  let end = first;
  while (lines[end]?.startsWith('|')) end++;
  const isApart =
    lines[first - 1] === '' && lines[end] === '' && /^\| --- \| :-: \| --- \|$/.test(lines[first + 1] ?? '');
  const areRows = lines.slice(first, end).every((line) => ROW.test(line));
  return isApart && areRows && !lines.slice(end).some((line) => line.includes('|'));
}

function deletion(text: string, selected: Selected, key: 'Backspace' | 'Delete'): Step | null {
  const { from, to } = bounds(selected);
  if (from < to) return { from, to, insert: '' };
  const line = lineAt(text, from);
  const ahead = text.slice(line.from, from);
  // A mark or an indentation goes as a whole.
  if (key === 'Backspace' && /^[\s>]*(?:[-*+]|\d+[.)])?\s*(?:\[[ x]\]?\s*)?$/.test(ahead) && ahead !== '')
    return null;
  const letters = [...new Intl.Segmenter().segment(key === 'Delete' ? text.slice(from, line.to) : ahead)];
  const length = letters.at(key === 'Delete' ? 0 : -1)?.segment.length ?? 1;
  if (key === 'Delete') return { from, to: Math.min(text.length, from + length), insert: '' };
  return { from: Math.max(0, from - length), to: from, insert: '' };
}

/** Enter: a line of its own, in a list an item of its own, which is as far from its neighbour as the first two are. */
function brokenLine(text: string, selected: Selected): Step | null {
  const { from, to } = bounds(selected);
  const line = lineAt(text, from);
  const whole = text.slice(line.from, line.to);
  const ahead = text.slice(line.from, from);
  if (COMPLETED.test(ahead) || /^\s/.test(whole) || isInCode(text, line.from)) return null;
  const mark = ITEM.exec(whole)?.[0] ?? '';
  if (from === to && mark) {
    if (ahead.length <= mark.length || MARKED.test(whole.slice(mark.length))) return null;
    const start = line.from + ahead.trimEnd().length;
    const apart = isLoose(text, line.from) ? '\n' : '';
    return { from: start, to, insert: `\n${apart}${mark.replace('x', ' ')}` };
  }
  if (from === to && isInList(text, line.from)) return null;
  // Where several lines are replaced, the blanks behind them stay.
  const rest = text.slice(to, Math.max(to, line.to));
  return { from, to: to + rest.length - rest.trimStart().length, insert: '\n' };
}

/** Whether a line that begins here is code, where the language says how the next one is indented. */
function isInCode(text: string, at: number): boolean {
  let fence = '';
  for (const line of text.slice(0, at).split('\n')) {
    const marks = /^ {0,3}(`{3,})([^`]*)$/.exec(line);
    if (!fence) fence = marks?.[1] ?? '';
    else if (marks?.[1]?.startsWith(fence) && marks[2]?.trim() === '') fence = '';
  }
  return fence !== '';
}

/** Whether a line belongs to a list or quote: one of those above it, up to an empty one, begins with a mark. */
function isInList(text: string, at: number): boolean {
  const block = text.slice(text.lastIndexOf('\n\n', at) + 1, lineAt(text, at).to);
  return block.split('\n').some((line) => MARKED.test(line));
}

/** Whether empty lines stand between the first two items of the list whose item begins here. */
function isLoose(text: string, at: number): boolean {
  const lines = text.split('\n');
  const isEmpty = (line: number) => lines[line]?.trim() === '';
  const isItem = (line: number) => HEAD_OF_ITEM.test(lines[line] ?? '');
  const goesOn = (line: number) => isItem(line) || isEmpty(line) || /^\s/.test(lines[line] ?? '');
  let first = text.slice(0, at).split('\n').length - 1;
  for (let line = first - 1; line >= 0 && !ENDS_LISTS.test(lines[line] as string); line--) {
    if (isItem(line)) first = line;
    else if (isEmpty(line) && !goesOn(line + 1)) break;
  }
  let second = first + 1;
  while (second < lines.length && !isItem(second)) {
    if (isEmpty(second - 1) && !goesOn(second)) return false;
    second++;
  }
  return second < lines.length && isEmpty(second - 1);
}
