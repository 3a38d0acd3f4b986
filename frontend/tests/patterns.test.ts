import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const SOURCE = path.resolve(__dirname, '../src');

interface Found {
  place: string;
  pattern: RegExp;
}

const files = (readdirSync(SOURCE, { recursive: true }) as string[])
  .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
  .sort();

/** All patterns that are written out in the source of the page; those that are put together are named. */
function patternsIn(name: string, text: string): { found: Found[]; made: string[] } {
  const kind = name.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, kind);
  const found: Found[] = [];
  const made: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      const flags = [...new Set(`${node.text.slice(end + 1)}g`)].join('');
      found.push({
        place: `${name}:${line} ${node.text}`,
        pattern: new RegExp(node.text.slice(1, end), flags),
      });
    }
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp')
      made.push(name);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { found, made };
}

/** Signs and words that a pattern may look for, and one that it does not. */
function atomsOf(source: string): { signs: string[]; words: string[] } {
  const plain = source.replace(/\\[pP]\{[^}]*\}|\\[sSdDwWbB]|\\u\{?[\da-fA-F]+\}?|\(\?<?[:=!]|\[\^?/g, ' ');
  const literal = plain.replace(/\\(.)/g, '$1');
  const signs = new Set(['a', ' ', '\n', '1']);
  for (const sign of literal.replace(/[(){}|*+?$^\]\s]/g, '')) if (!/[a-z0-9]/i.test(sign)) signs.add(sign);
  for (const [, sign] of source.matchAll(/\\([[\](){}|*+?.^$/\\])/g)) signs.add(sign as string);
  const words = (literal.match(/[\p{L}\d:#/]{2,}|[#<!&"'`~-]/gu) ?? []).slice(0, 6);
  return { signs: [...signs].slice(0, 12), words: [...new Set(words)] };
}

/** Texts that make a pattern try again: a sign, or two in turn, many times, behind a word of the pattern or not. */
function* pumped({ signs, words }: ReturnType<typeof atomsOf>, size: number): Generator<string> {
  const units = new Set([...signs, ...words]);
  for (const one of signs) for (const other of [...signs, ...words]) units.add(one + other).add(other + one);
  for (const unit of units) {
    const many = unit.repeat(Math.ceil(size / unit.length));
    yield `${many}\u0001`;
    for (const word of words) if (unit.length === 1) yield `${word}${many}\u0001`;
    for (const word of words) if (unit.length === 1) yield `${word} ${many}\u0001`;
  }
}

const SMALL = 2_000;
const LARGE = 32_000;
const NEVER = 1_000;
const context = vm.createContext({});
const search = new vm.Script('text.replace(pattern, "")');

/**
 * Processor time, in ms; more than enough where it does not end. The limit is one of time, which also goes by while the process
 * is not run, so a pattern that is cut off without having had the processor is tried again.
 */
function timeOf(pattern: RegExp, text: string): number {
  Object.assign(context, { pattern, text });
  let cutOff = 0;
  for (;;) {
    const before = process.cpuUsage();
    let isOver = true;
    try {
      search.runInContext(context, { timeout: NEVER });
    } catch {
      isOver = false;
    }
    const { user, system } = process.cpuUsage(before);
    const ms = (user + system) / 1000;
    if (isOver) return ms;
    cutOff += ms;
    if (cutOff > NEVER / 2) return NEVER;
  }
}

/** The text with which a pattern takes more than its share of time; null where there is none. */
function slowOn(pattern: RegExp): string | null {
  const atoms = atomsOf(pattern.source);
  const small = [...pumped(atoms, SMALL)];
  for (const [index, text] of [...pumped(atoms, LARGE)].entries()) {
    const first = timeOf(pattern, text);
    if (first < 30) continue;
    if (first >= NEVER) return `${JSON.stringify(text.slice(0, 30))}…`;
    const quickest = (of: string) => Math.min(...[1, 2, 3, 4, 5].map(() => timeOf(pattern, of)));
    const [least, most] = [quickest(small[index] as string), quickest(text)];
    // Linear: 16 times as long; quadratic: 256 times.
    if (most > 30 && most > 80 * Math.max(0.25, least)) return `${JSON.stringify(text.slice(0, 30))}…`;
  }
  return null;
}

const all = files.map((name) => patternsIn(name, readFileSync(path.join(SOURCE, name), 'utf8')));

describe('the patterns of the page', () => {
  const found = all.flatMap((one) => one.found);

  it('are all found', () => {
    expect(found.length).toBeGreaterThan(100);
    // One that is put together is out of reach of this test: it says here why it cannot be slow.
    expect(all.flatMap(({ made }) => made)).toEqual(['model/gestures/ids.ts']); // one class of characters
  });

  it('take time in proportion to the text, whatever it says', () => {
    const slow = found.flatMap(({ place, pattern }) => {
      const text = slowOn(pattern);
      return text === null ? [] : [`${place} is slow on ${text}`];
    });
    expect(slow).toEqual([]);
  });

  it('would be found out', () => {
    const bad = String.raw`const a = /\s+$/; const b = /^#\s+(.+?)\s*#*\s*$/m; const c = /(?:a|aa)+$/;`;
    const { found: planted } = patternsIn('planted.ts', bad);
    for (const { pattern } of planted) expect(slowOn(pattern), pattern.source).not.toBeNull();
  });
});
