/**
 * Brings a text that is being edited up to date with a diagram: lines that nobody is editing read as they are printed, what is
 * gone leaves, what is new comes, and everything else stays where its author has put it. Pure.
 */
import type { DiagramEdge } from '../../protocol/types';
import type { KeyedLine, KeyedText } from './keys';
import { edgeKey, idOf, isNodeKey, nodeKey, type Projection } from './projection';
import { INDENT, indentOf } from './syntax';

/** What was printed last for each key. */
export type Shown = ReadonlyMap<string, string>;

export interface PlacedLine extends KeyedLine {
  /** The line before that it is; null for one that is printed anew. */
  readonly from: number | null;
}

/** Whether a line says something that the diagram does not. Where the line of a connection stands means nothing. */
export function isOpen({ key, text, isMoved }: KeyedLine, shown: Shown): boolean {
  if (key === null) return text.trim() !== '';
  const printed = shown.get(key) ?? '';
  if (!isNodeKey(key)) return text.trim() !== printed;
  return isMoved || text.trimEnd() !== printed;
}

/**
 * The lines as they are to be shown for a diagram. Lines that were deleted stay away.
 *
 * @param shown what was printed before
 * @param settled keys of lines that are printed anew although somebody has edited them
 */
export function rebase(
  before: KeyedText,
  shown: Shown,
  projection: Projection,
  settled: ReadonlySet<string> = new Set(),
): PlacedLine[] {
  const lines = before.lines.flatMap((line, from) => {
    const text = current(line, { shown, projection, settled });
    return text === null ? [] : [{ ...text, from }];
  });
  return new Arrangement(lines, projection, before.lost).result();
}

interface Printing {
  shown: Shown;
  projection: Projection;
  settled: ReadonlySet<string>;
}

/** The line as it reads now; null where what it spoke of is gone. */
function current(line: KeyedLine, { shown, projection, settled }: Printing): KeyedLine | null {
  const { key, text, isMoved } = line;
  if (key === null) return line;
  const printed = projection.texts.get(key);
  const isEdited = isOpen(line, shown) && !settled.has(key);
  if (printed === undefined)
    return isEdited && text.trim() !== '' ? { key: null, text, isMoved: false } : null;
  if (!isEdited) return { key, text: reprinted(line, printed), isMoved: false };
  // Somebody has moved the node meanwhile: what is being written goes along.
  const isAlong =
    isNodeKey(key) && !isMoved && text.trim() !== '' && indentOf(text) === indentOf(shown.get(key) ?? '');
  return isAlong ? { key, isMoved, text: ' '.repeat(indentOf(printed)) + text.trimStart() } : line;
}

/** Blanks behind a line stay, and the indentation of a connection: somebody is about to write on there. */
function reprinted({ key, text }: KeyedLine, printed: string): string {
  if (!isNodeKey(key)) {
    if (text.trim() === printed) return text;
    return INDENT.repeat(Math.floor(indentOf(text) / INDENT.length)) + printed;
  }
  return text.trimEnd() === printed ? text : printed;
}

class Arrangement {
  private out: PlacedLine[] = [];
  private readonly emitted = new Set<string>();
  /** Nodes in the order of their lines. */
  private readonly rank = new Map<string, number>();
  /** Lines of nodes that stand where the diagram has them. */
  private readonly fixed = new Map<string, PlacedLine>();
  /** The other lines, by the node's line that they follow; at the very top for null. */
  private readonly following = new Map<string | null, PlacedLine[]>();
  /** What follows all nodes. */
  private tail: PlacedLine[] = [];

  constructor(
    lines: readonly PlacedLine[],
    private readonly projection: Projection,
    private readonly lost: ReadonlyMap<string, string>,
  ) {
    const isFixed = ({ key, text, isMoved }: PlacedLine) =>
      key !== null &&
      isNodeKey(key) &&
      !isMoved &&
      indentOf(text) === indentOf(projection.texts.get(key) ?? '');
    let anchor: string | null = null;
    for (const [at, line] of lines.entries()) {
      const { key } = line;
      if (key !== null && isNodeKey(key)) this.rank.set(idOf(key), at);
      if (key !== null && isFixed(line)) {
        anchor = key;
        this.fixed.set(key, line);
      } else addTo(this.following, anchor, line);
    }
    this.tail = this.following.get(anchor) ?? [];
    this.following.delete(anchor);
  }

  result(): PlacedLine[] {
    const { projection, lost } = this;
    this.follow(this.following.get(null));
    for (const id of this.inOrder(projection.children.get(null) ?? [])) this.emit(id);
    this.follow(this.tail);
    // Whose group is being put into what it holds.
    for (const key of projection.texts.keys()) if (isNodeKey(key)) this.emit(idOf(key));
    this.addEdges(
      projection.edges.filter(({ id }) => !this.emitted.has(edgeKey(id)) && !lost.has(edgeKey(id))),
    );
    return this.out;
  }

  private emit(id: string): void {
    const key = nodeKey(id);
    const isBeingMoved = this.rank.has(id) && !this.fixed.has(key);
    if (this.emitted.has(key) || isBeingMoved) return;
    this.emitted.add(key);
    const text = this.projection.texts.get(key) ?? '';
    if (!this.lost.has(key)) this.out.push(this.fixed.get(key) ?? { key, text, isMoved: false, from: null });
    this.follow(this.following.get(key));
    this.emitChildren(id);
  }

  private emitChildren(id: string): void {
    for (const inner of this.inOrder(this.projection.children.get(id) ?? [])) this.emit(inner);
  }

  private follow(lines: readonly PlacedLine[] = []): void {
    for (const line of lines) {
      this.out.push(line);
      if (line.key === null) continue;
      this.emitted.add(line.key);
      if (isNodeKey(line.key)) this.emitChildren(idOf(line.key));
    }
  }

  /** Siblings as their lines stand; one without a line comes behind the one that it follows in the diagram. */
  private inOrder(ids: readonly string[]): string[] {
    const { rank } = this;
    const there = ids.filter((id) => rank.has(id));
    there.sort((one, other) => (rank.get(one) as number) - (rank.get(other) as number));
    const coming = new Map<string | null, string[]>();
    let before: string | null = null;
    for (const id of ids)
      if (rank.has(id)) before = id;
      else addTo(coming, before, id);
    return [...(coming.get(null) ?? []), ...there.flatMap((id) => [id, ...(coming.get(id) ?? [])])];
  }

  /** Behind the last connection of the same node, else behind the last one, else at the end. */
  private addEdges(edges: readonly DiagramEdge[]): void {
    const sources = new Map(this.projection.edges.map(({ id, source }) => [edgeKey(id), source]));
    const lastOf = new Map<string, number>();
    let last: number | null = null;
    for (const [at, { key }] of this.out.entries()) {
      const source = key === null ? undefined : sources.get(key);
      if (source === undefined) continue;
      lastOf.set(source, at);
      last = at;
    }
    const lines = this.out;
    const end = last ?? lines.length - 1;
    const coming = new Map<number, PlacedLine[]>();
    if (last === null && edges.length > 0 && (lines.at(-1)?.text.trim() ?? '') !== '')
      addTo(coming, end, { key: null, text: '', isMoved: false, from: null });
    for (const { id, source } of edges) {
      const key = edgeKey(id);
      const text = this.projection.texts.get(key) ?? '';
      addTo(coming, lastOf.get(source) ?? end, { key, text, isMoved: false, from: null });
    }
    this.out = [...(coming.get(-1) ?? []), ...lines.flatMap((line, at) => [line, ...(coming.get(at) ?? [])])];
  }
}

/** Adds to the list of a key. */
export function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
