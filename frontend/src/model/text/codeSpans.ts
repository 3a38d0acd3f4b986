/** Blanks out the code of a Markdown text: fences, and spans between runs of backticks. Pure; one pass for each. */

/** The text with all code blanked out, of the same length. */
export const withoutCode = (text: string): string => withoutSpans(withoutFences(text));

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const CLOSING = /^ {0,3}([`~]{3,})[ \t]*$/;

function withoutFences(text: string): string {
  if (!text.includes('```') && !text.includes('~~~')) return text;
  let open: string | null = null;
  const lines = text.split('\n').map((line) => {
    if (open === null) {
      open = FENCE.exec(line)?.[1] ?? null;
      return open === null ? line : ' '.repeat(line.length);
    }
    if (CLOSING.exec(line)?.[1]?.startsWith(open)) open = null;
    return ' '.repeat(line.length);
  });
  return lines.join('\n');
}

/** A span ends with the next run of as many backticks as it began with. */
function withoutSpans(text: string): string {
  const runs = runsOf(text);
  const next = nextOfLength(runs);
  let out = '';
  let at = 0;
  for (let index = 0; index < runs.length; index++) {
    const end = next[index] as number;
    if (end < 0) continue;
    const [from, to] = [(runs[index] as Run).from, (runs[end] as Run).to];
    out += text.slice(at, from) + text.slice(from, to).replace(/[^\n]/g, ' ');
    at = to;
    index = end;
  }
  return at === 0 ? text : out + text.slice(at);
}

/** Finds the backticks that close a code span which opens at a position, or null; asked from front to back. */
export function closingRuns(text: string): (from: number) => number | null {
  const waiting = new Map<number, number[]>(); // By length, the last run first.
  for (const { from, to } of runsOf(text).reverse()) {
    const runs = waiting.get(to - from);
    if (runs) runs.push(from);
    else waiting.set(to - from, [from]);
  }
  return (from) => {
    let to = from;
    while (text[to] === '`') to += 1;
    const runs = waiting.get(to - from) ?? [];
    while ((runs.at(-1) ?? to) < to) runs.pop();
    return runs.at(-1) ?? null;
  };
}

interface Run {
  from: number;
  to: number;
}

function runsOf(text: string): Run[] {
  const runs: Run[] = [];
  for (let from = text.indexOf('`'); from >= 0; ) {
    let to = from + 1;
    while (text[to] === '`') to += 1;
    runs.push({ from, to });
    from = text.indexOf('`', to);
  }
  return runs;
}

/** For each run the index of the next one of its length, or -1. */
function nextOfLength(runs: readonly Run[]): Int32Array {
  const next = new Int32Array(runs.length).fill(-1);
  const seen = new Map<number, number>();
  for (let index = runs.length - 1; index >= 0; index--) {
    const { from, to } = runs[index] as Run;
    next[index] = seen.get(to - from) ?? -1;
    seen.set(to - from, index);
  }
  return next;
}
