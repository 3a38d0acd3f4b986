/**
 * The front matter of a document: YAML between two rules at its very start. Where it ends is decided as by the server
 * (`model/markdown/sections.py`); tests/fixtures/headings.json holds the two to be equal. Pure.
 */

const FIRST = /^(?:#|[\p{L}\p{N}_"'][^\r\n:]*:(?=\s))/u;
const OPENS = /^---[ \t]*$/;
const CLOSES = /^(?:---|\.\.\.)[ \t]*$/;
const FIELD = /^([\p{L}\p{N}_"'](?:[^:]*[^\s:])?)\s*:(?:\s+(.*))?$/u;
/** Longer lines are not looked for fields. */
const MAX_LINE = 2_000;

export interface FrontMatter {
  /** The lines that it takes, from the first of the text on. */
  lines: number;
  /** Its fields as they are written; null where it has lines that are none. */
  fields: readonly { name: string; value: string }[] | null;
  source: string;
}

/** The front matter of a text; null where it has none. */
export function frontMatterOf(text: string): FrontMatter | null {
  if (!text.startsWith('---')) return null;
  const body: string[] = [];
  let from = lineEnd(text, 0);
  if (!OPENS.test(text.slice(0, from - 1)) || !FIRST.test(text.slice(from, lineEnd(text, from)))) return null;
  for (let lines = 2; from < text.length; lines++) {
    const end = lineEnd(text, from);
    const line = text.slice(from, end).replace(/\n$/, '');
    if (lines > 2 && CLOSES.test(line)) return { lines, fields: fieldsOf(body), source: body.join('\n') };
    body.push(line);
    from = end;
  }
  return null;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

/** Fields of the outermost level, with the lines below each as its value. */
function fieldsOf(lines: readonly string[]): FrontMatter['fields'] {
  const fields: { name: string; value: string }[] = [];
  for (const line of lines) {
    if (line.length > MAX_LINE) return null;
    if (/^\s*(?:#|$)/.test(line)) continue;
    const field = FIELD.exec(line);
    const last = fields.at(-1);
    if (field) fields.push({ name: unquoted(field[1] ?? ''), value: unquoted((field[2] ?? '').trim()) });
    else if (last && /^(?:\s|- |-$)/.test(line)) last.value += `${last.value ? '\n' : ''}${item(line)}`;
    else return null;
  }
  return fields;
}

/** A line below a field; of a list on the outermost level its words. */
const item = (line: string): string => {
  const words = /^\s{0,4}-\s+([^:]*)$/.exec(line)?.[1];
  return words === undefined ? line : unquoted(words.trim());
};

const unquoted = (value: string): string => /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;
