/**
 * The grammar of a diagram as text, a line at a time and both ways: a node is `Orders (service) [Go]`, a connection
 * `API gateway -> Orders: place order`. Pure.
 *
 * Not here: which lines a diagram has (`projection.ts`), what a changed line changes (`batch.ts`). Decision 0079.
 */
import { type CustomTypes, type EdgeKind, NODE_TYPES, type NodeType } from '../../protocol/types';
import { customTypeNamed } from '../gestures/typeNames';
import { TYPE_NAMES } from '../words/kinds';

/** An end of a connection: a node by its name, or by its id where the name says too little. */
export type End = { readonly name: string } | { readonly id: string };

export type Direction = 'forward' | 'both' | 'none';

/** What a line says of a node; null is what it does not say. */
export interface NodeLine {
  readonly form: 'node';
  readonly label: string;
  /** A built-in type, or the id of a custom one. */
  readonly type: string | null;
  readonly technology: string;
  readonly id: string | null;
}

export interface EdgeLine {
  readonly form: 'edge';
  readonly source: End;
  readonly target: End;
  readonly label: string;
  readonly kind: EdgeKind;
  readonly direction: Direction;
}

export interface UnreadLine {
  readonly form: 'unread';
  /** Why it cannot be read, as a sentence. */
  readonly problem: string;
}

export type ReadLine = NodeLine | EdgeLine | UnreadLine | { readonly form: 'blank' };

export const INDENT = '  ';
const MOST = { name: 120, technology: 200, label: 200 };
const FALLBACK_TYPE = 'service';

const BODIES: Readonly<Record<string, string>> = { sync: '-', async: '~', data: '=', dependency: '..' };
const KIND_OF: Readonly<Record<string, EdgeKind>> = {
  '-': 'sync',
  '~': 'async',
  '=': 'data',
  '.': 'dependency',
};
const SPACED = /(?:^|\s)(<?)(-{1,3}|~{1,3}|={1,3}|\.{2,3})(>?)(?=\s|$)/g;
/** Only with a head at its end: a name may well have hyphens. */
const TIGHT = /(<?)(--?|~~?|==?|\.\.)(>)/;
/** Alone they are a hyphen, an approximation, an equation and an ellipsis. */
const NO_ARROWS = new Set(['-', '~', '=', '...']);
const QUOTED = /^"((?:[^"\\]|\\.)*)"/;
const ID = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const NODE_MARK = /(?:^|\s)#|[)\]]$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** A text with every line break and control character turned into a blank. */
export const oneLine = (text: string): string => text.replace(CONTROL, ' ');

/** Names that differ in letter case, white space and Unicode's form alone are the same name, as for the server. */
export const folded = (name: string): string =>
  oneLine(name).normalize('NFKC').toLowerCase().split(/\s+/).filter(Boolean).join(' ');

/** How far a line is indented, in columns; a tab counts as one level. */
export function indentOf(text: string): number {
  let columns = 0;
  for (const sign of text) {
    if (sign === ' ') columns += 1;
    else if (sign === '\t') columns += INDENT.length;
    else break;
  }
  return columns;
}

/** The type that a name says; null for none. */
export type TypeOfName = (name: string) => NodeType | null;

/** The type that a node has whose line says none. */
export const typeByName = (label: string, typeOf: TypeOfName): NodeType => typeOf(label) ?? FALLBACK_TYPE;

// -- reading
// ---------------------------------------------------------------------------------------------------------

/** `types`: the custom types that it can name. */
export function readLine(text: string, types?: CustomTypes): ReadLine {
  const words = text.trim();
  if (words === '') return { form: 'blank' };
  const quoted = QUOTED.exec(words);
  if (words.startsWith('"') && !quoted) return unread('The quotation marks are not closed.');
  const arrow = arrowBehindName(words, quoted?.[0].length ?? 0);
  if (!arrow) return readNode(words, quoted, types);
  const source = quoted ? { name: unescaped(quoted[1] ?? '') } : endOf(words.slice(0, arrow.from));
  return readEdge(source, arrow, words.slice(arrow.to).trim());
}

/** Parts of a line that look otherwise than names. */
export interface Span {
  readonly name: 'arrow' | 'label' | 'marks';
  readonly from: number;
  readonly to: number;
}

export function spansOf(text: string): Span[] {
  const start = text.length - text.trimStart().length;
  const words = text.trim();
  const end = start + words.length;
  const size = QUOTED.exec(words)?.[0].length ?? 0;
  const arrow = arrowBehindName(words, size);
  if (arrow) {
    const behind = words.slice(arrow.to).trimStart();
    const target = words.length - behind.length;
    const colon = words.indexOf(':', target + (QUOTED.exec(behind)?.[0].length ?? 0));
    const spans: Span[] = [{ name: 'arrow', from: start + arrow.from, to: start + arrow.to }];
    return colon < 0 ? spans : [...spans, { name: 'label', from: start + colon, to: end }];
  }
  const rest = words.slice(size).trimStart();
  const { length } = rest.slice(marksBehind(rest).rest.length).trimStart();
  return length > 0 ? [{ name: 'marks', from: end - length, to: end }] : [];
}

interface Arrow {
  from: number;
  to: number;
  isFromTarget: boolean;
  kind: EdgeKind;
  direction: Direction;
}

/** The first arrow at or after a place. */
function arrowIn(words: string, at: number): Arrow | null {
  const rest = words.slice(at);
  const tight = TIGHT.exec(rest);
  for (const found of rest.matchAll(SPACED)) {
    if (tight && tight.index < found.index) break;
    if (found[1] || found[3] || !NO_ARROWS.has(found[2] ?? '')) return arrowOf(found, at);
  }
  return tight && arrowOf(tight, at);
}

/** The arrow of a line; behind a name in quotation marks, of that length, only where nothing else stands between. */
function arrowBehindName(words: string, quoted: number): Arrow | null {
  const arrow = arrowIn(words, quoted);
  const isBehind = arrow && (quoted === 0 || words.slice(quoted, arrow.from).trim() === '');
  return isBehind ? arrow : null;
}

/** What stands behind the arrow of a line that is being written; null where it has none. */
export function behindArrow(words: string): string | null {
  const start = words.length - words.trimStart().length;
  const arrow = arrowIn(words, start + (QUOTED.exec(words.slice(start))?.[0].length ?? 0));
  return arrow && words.slice(arrow.to).trimStart();
}

function arrowOf({ 0: all, 1: tail, 2: body = '', 3: head, index }: RegExpExecArray, at: number): Arrow {
  return {
    from: at + index,
    to: at + index + all.length,
    isFromTarget: Boolean(tail) && !head,
    kind: KIND_OF[body[0] ?? ''] ?? 'sync',
    direction: tail && head ? 'both' : tail || head ? 'forward' : 'none',
  };
}

function readEdge(source: End, { kind, direction, isFromTarget }: Arrow, behind: string): ReadLine {
  const quoted = QUOTED.exec(behind);
  if (behind.startsWith('"') && !quoted) return unread('The quotation marks are not closed.');
  const colon = behind.indexOf(':', quoted?.[0].length ?? 0);
  const name = colon < 0 ? behind : behind.slice(0, colon);
  const label = colon < 0 ? '' : behind.slice(colon + 1).trim();
  const left = quoted ? name.slice(quoted[0].length).trim() : '';
  if (left !== '') return unread('Behind the name stands what a connection does, after a colon.');
  if (!quoted && arrowIn(name, 0)) return unread('A line holds one connection.');
  const target = quoted ? { name: unescaped(quoted[1] ?? '') } : endOf(name);
  for (const end of [source, target]) {
    const problem = 'name' in end ? nameProblem(end.name) : idProblem(end.id);
    if (problem) return unread(problem);
  }
  if (lengthOf(label) > MOST.label)
    return unread(`What a connection does is said in ${MOST.label} characters at most.`);
  const ends = isFromTarget ? { source: target, target: source } : { source, target };
  return { form: 'edge', ...ends, label, kind, direction };
}

function nameProblem(name: string): string | null {
  if (name.trim() === '') return 'An arrow stands between the names of two nodes.';
  return lengthOf(name) > MOST.name ? `A name has ${MOST.name} characters at most.` : null;
}

const idProblem = (id: string): string | null => (ID.test(id) ? null : `“#${id}” is no id.`);

function endOf(text: string): End {
  const name = text.trim();
  return name.startsWith('#') ? { id: name.slice(1) } : { name };
}

function readNode(
  words: string,
  quoted: RegExpExecArray | null,
  types: CustomTypes | undefined,
): NodeLine | UnreadLine {
  const found = marksBehind(quoted ? words.slice(quoted[0].length).trim() : words);
  const type = found.type === null ? null : typeNamed(found.type, types);
  if (found.type !== null && type === null)
    return unread(`“${found.type}” is no type. A name with brackets stands in quotation marks.`);
  if (quoted && found.rest !== '')
    return unread('Behind the name stand a type in round and a technology in square brackets.');
  const label = (quoted ? unescaped(quoted[1] ?? '') : found.rest).trim();
  if (label === '') return unread('A node needs a name.');
  if (lengthOf(label) > MOST.name) return unread(`A name has ${MOST.name} characters at most.`);
  if (lengthOf(found.technology) > MOST.technology)
    return unread(`A technology has ${MOST.technology} characters at most.`);
  return { form: 'node', label, type, technology: found.technology, id: found.id };
}

interface Marks {
  rest: string;
  type: string | null;
  technology: string;
  id: string | null;
}

/** Takes type, technology and id off the end of a text, each at most once and in any order. */
function marksBehind(text: string): Marks {
  const marks: Marks = { rest: text, type: null, technology: '', id: null };
  let hasTechnology = false;
  for (;;) {
    const { rest } = marks;
    const hash = rest.lastIndexOf('#');
    const open = rest.endsWith(']') && !hasTechnology ? openingOf(rest) : -1;
    const round = rest.endsWith(')') && marks.type === null ? rest.lastIndexOf('(') : -1;
    if (open >= 0) {
      marks.technology = unescaped(rest.slice(open + 1, -1)).trim();
      hasTechnology = true;
      marks.rest = rest.slice(0, open).trimEnd();
    } else if (round >= 0) {
      marks.type = rest.slice(round + 1, -1).trim();
      marks.rest = rest.slice(0, round).trimEnd();
    } else if (marks.id === null && isMark(rest, hash)) {
      marks.id = rest.slice(hash + 1);
      marks.rest = rest.slice(0, hash).trimEnd();
    } else return marks;
  }
}

const isMark = (text: string, hash: number): boolean =>
  hash >= 0 && (hash === 0 || text[hash - 1] === ' ') && ID.test(text.slice(hash + 1));

/** Where the square bracket opens that the last sign closes; -1 for nowhere. */
function openingOf(text: string): number {
  for (let at = text.length - 2; at >= 0; at--) {
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes += 1;
    if (text[at] === '[' && slashes % 2 === 0) return at;
    at -= slashes;
  }
  return -1;
}

const TYPE_BY_WORD: ReadonlyMap<string, NodeType> = new Map([
  ...NODE_TYPES.map((type) => [folded(TYPE_NAMES[type] ?? type), type] as const),
  ...NODE_TYPES.map((type) => [typeWords(type), type] as const),
]);

/** The type of a name or id in any spelling; null for none. */
const typeNamed = (word: string, types: CustomTypes | undefined): string | null =>
  TYPE_BY_WORD.get(folded(word).replaceAll('_', ' ').replaceAll('-', ' ')) ?? customTypeNamed(word, types);

const unread = (problem: string): UnreadLine => ({ form: 'unread', problem });
const unescaped = (text: string): string => text.replace(/\\(.)/g, '$1');
const lengthOf = (text: string): number => [...text].length;

// -- printing
// --------------------------------------------------------------------------------------------------------

/** A node of a type that this page does not know is printed all the same. */
export function printNode(
  { label, type, technology, id }: Omit<NodeLine, 'form' | 'type'> & { readonly type: string | null },
  depth: number,
): string {
  const [name, made] = [oneLine(label).trim(), oneLine(technology).trim()];
  const isBare = isPlain(name) && !NODE_MARK.test(name) && !arrowIn(`${name} ${made}`, 0);
  const parts = [isBare ? name : quote(name)];
  if (type !== null) parts.push(`(${typeWords(type)})`);
  if (made) parts.push(`[${made.replace(/[[\]\\]/g, '\\$&')}]`);
  if (id !== null) parts.push(`#${id}`);
  return INDENT.repeat(depth) + parts.join(' ');
}

export function printEdge({
  source,
  target,
  label,
  kind,
  direction,
}: Pick<EdgeLine, 'source' | 'target' | 'label'> & { kind: string; direction: string }): string {
  const what = oneLine(label).trim();
  return `${printEnd(source)} ${arrowFor(kind, direction)} ${printEnd(target)}${what && `: ${what}`}`;
}

export function printEnd(end: End): string {
  if ('id' in end) return `#${end.id}`;
  const name = oneLine(end.name).trim();
  return isPlain(name) && !/^#|:/.test(name) && !arrowIn(name, 0) ? name : quote(name);
}

/** A kind of connection in its direction, as it is drawn between two names. */
export function arrowFor(kind: string, direction: string): string {
  const body = BODIES[kind] ?? '-';
  if (direction === 'none') return body.length > 1 ? body : body + body;
  return `${direction === 'both' ? '<' : ''}${body}>`;
}

/** A type as it stands in brackets; a custom one stands by its id as it is. */
export function typeWords(type: string): string {
  return (NODE_TYPES as readonly string[]).includes(type) ? type.replaceAll('_', ' ') : type;
}

const isPlain = (name: string): boolean => name !== '' && !name.startsWith('"');
const quote = (name: string): string => `"${name.replace(/[\\"]/g, '\\$&')}"`;
