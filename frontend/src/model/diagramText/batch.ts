/**
 * The smallest batch that brings a diagram to what edited lines say. Of each line the fields are compared with those that it was
 * printed with, so that what others change meanwhile stays. Pure.
 *
 * Not here: which lines are sent when (`session.ts`).
 */
import type { Operation, OperationOf } from '../../protocol/live';
import type { Diagram, DiagramEdge, DiagramNode } from '../../protocol/types';
import { typeIdOf } from '../core/customTypes';
import { FreeIds } from '../gestures/ids';
import type { KeyedLine, KeyedText } from './keys';
import { edgeKey, idOf, isNodeKey, nodeKey, nodesByName } from './projection';
import { addTo, isOpen, type Shown } from './rebase';
import {
  type EdgeLine,
  type End,
  folded,
  indentOf,
  type NodeLine,
  printEnd,
  type ReadLine,
  readLine,
  type TypeOfName,
  typeByName,
} from './syntax';

/** Which lines are sent. */
export interface Choice {
  isWanted: (line: number) => boolean;
  /** The line that is being written: it is sent only where that neither adds nor deletes anything. */
  caret: number | null;
  /** Whether what lines spoke of that are gone is deleted. */
  isDeleting: boolean;
}

export interface LineBatch {
  operations: Operation[];
  /** The keys of what is added, by line. */
  keys: Map<number, string>;
  /** Lines that are sent, or that differ in their spelling alone. */
  settled: Set<number>;
  /** Why lines cannot be sent, as sentences, by line. */
  problems: Map<number, string>;
  /** Keys of what is deleted. */
  deleted: string[];
}

interface Settings {
  choice: Choice;
  typeOf: TypeOfName;
  /** Ids of what is added; free ones where none are given. */
  ids?: FreeIds | undefined;
}

export function batchOf(text: KeyedText, shown: Shown, diagram: Diagram, settings: Settings): LineBatch {
  return new Batch(text, shown, diagram, settings).result();
}

const MOST_IDS = 500;

type NewNode = OperationOf<'add_node'> & { id: string };
type Ends = { source: string; target: string };
type Words = { label: string; kind: string };

/** Thrown at a line that has to wait for another one. */
class NotYet extends Error {}
/** Thrown at a line that cannot be sent. */
class Problem extends Error {}

class Batch {
  private readonly choice: Choice;
  private readonly typeOf: TypeOfName;
  private readonly ids: FreeIds;
  private readonly nodes: ReadonlyMap<string, DiagramNode>;
  private readonly edges: Map<string, DiagramEdge>;
  /** How many connections say the same of the same nodes. */
  private readonly twins = new Map<string, number>();
  /** Nodes that hold others. */
  private readonly holding: ReadonlySet<string | null>;
  /** Also those that are deleted. */
  private readonly allEdges: ReadonlyMap<string, DiagramEdge>;
  private readonly names: Map<string, string[]>;
  private readonly read = new Map<number, ReadLine>();
  private readonly deleted: string[] = [];
  private readonly gone: ReadonlySet<string>;
  private readonly added = new Map<string, NewNode>();
  /** Lines of nodes that are added, with their ids. */
  private readonly newIds = new Map<number, string>();
  private readonly changed = new Map<string, OperationOf<'update_node'>>();
  private readonly moved = new Map<string, string | null>();
  private readonly edgeOperations: Operation[] = [];
  private readonly changedEdges = new Set<string>();
  private readonly newEdges: Operation[] = [];
  private readonly keys = new Map<number, string>();
  private readonly settled = new Set<number>();
  private readonly problems = new Map<number, string>();
  /** Lines that wait for others. */
  private readonly waiting = new Set<number>();
  private groupLines: readonly (number | null)[] | null = null;

  constructor(
    private readonly text: KeyedText,
    private readonly shown: Shown,
    private readonly diagram: Diagram,
    settings: Settings,
  ) {
    const { choice, typeOf } = settings;
    this.choice = choice;
    this.typeOf = typeOf;
    this.ids = settings.ids ?? new FreeIds([...diagram.nodes, ...diagram.edges]);
    this.nodes = new Map(diagram.nodes.map((node) => [node.id, node]));
    this.holding = new Set(diagram.nodes.map(({ parent }) => parent));
    this.allEdges = new Map(diagram.edges.map((edge) => [edge.id, edge]));
    for (const [at, line] of text.lines.entries())
      if (isOpen(line, shown)) this.read.set(at, readLine(line.text, diagram.types));
    if (choice.isDeleting) this.deleted = this.findDeleted();
    this.gone = new Set(this.deleted);
    const isGone = (id: string) => this.gone.has(nodeKey(id));
    this.edges = new Map(
      diagram.edges
        .filter(({ id, source, target }) => !this.gone.has(edgeKey(id)) && !isGone(source) && !isGone(target))
        .map((edge) => [edge.id, edge]),
    );
    for (const edge of this.edges.values()) this.count(edge, 1);
    const renamed = this.newNames();
    this.names = nodesByName(
      diagram.nodes
        .filter(({ id }) => !isGone(id))
        .map(({ id, label }) => ({ id, label: renamed.get(id) ?? label })),
    );
  }

  result(): LineBatch {
    const open = [...this.read.keys()];
    for (const at of open) this.attempt(at, () => this.addNode(at));
    for (const at of open) this.attempt(at, () => this.placeNode(at));
    for (const at of open) this.attempt(at, () => this.changeNode(at));
    for (const at of open) this.attempt(at, () => this.takeEdge(at));
    const { keys, settled, problems, deleted } = this;
    return { operations: this.operations(), keys, settled, problems, deleted };
  }

  /** What was printed and stands in no line any more. */
  private findDeleted(): string[] {
    const { text, shown, choice } = this;
    const there = new Set<string | null>();
    for (const [at, { key, text: words }] of text.lines.entries()) {
      const isCleared = words.trim() === '' && at !== choice.caret && choice.isWanted(at);
      const isEdgeNoMore = key !== null && !isNodeKey(key) && this.read.get(at)?.form === 'node';
      if (!isCleared && !(isEdgeNoMore && this.isSent(at))) there.add(key);
    }
    return [...shown.keys()].filter((key) => !there.has(key) && this.isInDiagram(key));
  }

  private isInDiagram(key: string): boolean {
    return isNodeKey(key) ? this.nodes.has(idOf(key)) : this.allEdges.has(idOf(key));
  }

  /** Names that lines give to nodes, which other lines may use already. */
  private newNames(): Map<string, string> {
    const found = new Map<string, string>();
    for (const [at, line] of this.read) {
      const key = this.keyOf(at);
      if (line.form === 'node' && key !== null && this.isSent(at) && line.label !== this.before(key)?.label)
        found.set(idOf(key), line.label);
    }
    return found;
  }

  private line(at: number): KeyedLine {
    return this.text.lines[at] as KeyedLine;
  }

  /** The key of a line that still says what it said: a node's line with an arrow is a new connection. */
  private keyOf(at: number): string | null {
    const { key } = this.line(at);
    const form = this.read.get(at)?.form;
    if (key === null || form === undefined || form === 'unread' || form === 'blank') return key;
    return isNodeKey(key) === (form === 'node') ? key : null;
  }

  private isSent(at: number): boolean {
    return this.choice.isWanted(at) && (at !== this.choice.caret || this.keyOf(at) !== null);
  }

  private readShown(key: string): ReadLine {
    return readLine(this.shown.get(key) ?? '', this.diagram.types);
  }

  private before(key: string): NodeLine | null {
    const line = this.readShown(key);
    return line.form === 'node' ? line : null;
  }

  private attempt(at: number, act: () => void): void {
    if (this.problems.has(at) || this.waiting.has(at)) return;
    const line = this.read.get(at);
    try {
      if (line?.form === 'unread') throw new Problem(line.problem);
      act();
    } catch (error) {
      if (error instanceof Problem) this.problems.set(at, error.message);
      else if (error instanceof NotYet) this.waiting.add(at);
      else throw error;
    }
  }

  // -- nodes ------------------------------------------------------------------------------------------------

  private addNode(at: number): void {
    const line = this.read.get(at);
    if (line?.form !== 'node' || this.keyOf(at) !== null) return;
    const { label, technology, id: wanted } = line;
    if (wanted !== null && (this.nodes.has(wanted) || this.added.has(wanted)))
      throw new Problem(`There is a node #${wanted} already.`);
    this.checkAlone(at, line);
    if (!this.isSent(at)) return;
    const above = this.groupLine(at);
    const parent = above === null ? null : this.groupAt(above);
    if (above !== null && parent !== null) this.makeGroup(parent, above);
    const type = line.type ?? typeByName(label, this.typeOf);
    const id = wanted ?? this.ids.forNode(label, type);
    this.added.set(id, {
      op: 'add_node',
      id,
      type,
      label,
      ...(technology && { technology }),
      ...(parent !== null && { parent }),
    });
    this.newIds.set(at, id);
    this.name(label, id);
    this.finish(at, nodeKey(id));
  }

  /** Refuses a second node of a name in one group; in another one it is told apart by its id. */
  private checkAlone(at: number, { label, id }: NodeLine): void {
    if (id !== null) return;
    const group = this.groupLine(at);
    const parent = group === null ? null : this.idAt(group);
    if (group !== null && parent === null) return;
    for (const other of this.names.get(folded(label)) ?? [])
      if (this.parentOf(other) === parent)
        throw new Problem(`“${label}” stands here already. Give it another name.`);
  }

  private parentOf(id: string): string | null {
    const added = this.added.get(id);
    return (added ? added.parent : this.nodes.get(id)?.parent) ?? null;
  }

  private name(label: string, id: string): void {
    addTo(this.names, folded(label), id);
  }

  /** The line of the group that a line stands under; null for none. */
  private groupLine(at: number): number | null {
    this.groupLines ??= this.findGroupLines();
    return this.groupLines[at] ?? null;
  }

  private findGroupLines(): (number | null)[] {
    const around: { at: number; depth: number }[] = [];
    return this.text.lines.map(({ text }, at) => {
      const depth = indentOf(text);
      if (!this.isNodeLine(at)) return around.findLast((one) => one.depth < depth)?.at ?? null;
      while ((around.at(-1)?.depth ?? -1) >= depth) around.pop();
      const above = around.at(-1)?.at ?? null;
      around.push({ at, depth });
      return above;
    });
  }

  private isNodeLine(at: number): boolean {
    const { key, text } = this.line(at);
    const form = this.read.get(at)?.form;
    if (form === 'node') return true;
    if (form === 'edge' || text.trim() === '') return false;
    return key !== null && isNodeKey(key);
  }

  /** The node that a line speaks of; null where it is not there yet. */
  private idAt(at: number): string | null {
    const key = this.keyOf(at);
    return key === null ? (this.newIds.get(at) ?? null) : idOf(key);
  }

  /** Puts a node into the group that its line stands under, if the line was put there. */
  private placeNode(at: number): void {
    const line = this.line(at);
    const key = this.keyOf(at);
    if (this.read.get(at)?.form !== 'node' || key === null || !this.isSent(at)) return;
    if (!line.isMoved && indentOf(this.shown.get(key) ?? '') === indentOf(line.text)) return;
    const id = idOf(key);
    const above = this.groupLine(at);
    const group = above === null ? null : this.groupAt(above);
    if (group === (this.nodes.get(id)?.parent ?? null)) return;
    if (group !== null && this.isInside(group, id)) throw new Problem('A group cannot stand in itself.');
    if (above !== null && group !== null) this.makeGroup(group, above);
    this.moved.set(id, group);
  }

  /** The node of the line that another one stands under. */
  private groupAt(above: number): string {
    if (this.problems.has(above)) throw new Problem('The line that this one stands under has a problem.');
    const id = this.idAt(above);
    if (id === null) throw new NotYet();
    return id;
  }

  /** A node becomes a group by what stands under it, unless its line says what else it is. */
  private makeGroup(id: string, at: number): void {
    const added = this.added.get(id);
    const node = this.nodes.get(id);
    if ((added ?? node)?.type === 'group') return;
    const line = this.read.get(at) ?? readLine(this.line(at).text, this.diagram.types);
    if (line.form === 'node' && line.type !== null)
      throw new Problem(`“${line.label}” is no group: its line says another type.`);
    if (added) added.type = 'group';
    else this.change(id, { type: 'group' });
  }

  private isInside(inner: string, outer: string): boolean {
    for (let at: string | null = inner; at !== null; ) {
      if (at === outer) return true;
      at = this.moved.has(at) ? (this.moved.get(at) ?? null) : this.parentOf(at);
    }
    return false;
  }

  private change(id: string, fields: Omit<OperationOf<'update_node'>, 'op' | 'id'>): void {
    const known = this.changed.get(id) ?? { op: 'update_node', id };
    this.changed.set(id, { ...known, ...fields });
  }

  private changeNode(at: number): void {
    const line = this.read.get(at);
    const key = this.keyOf(at);
    if (line?.form !== 'node' || key === null) return;
    const id = idOf(key);
    const before = this.before(key);
    const node = this.nodes.get(id);
    if (!node || !before) throw new NotYet();
    if (line.id !== null && line.id !== id)
      throw new Problem('The id of a node stays as it is. Write a line of its own for another node.');
    if (line.type !== before.type) this.checkType(node, line);
    if (!this.isSent(at)) return;
    if (line.label !== before.label) this.change(id, { label: line.label });
    if (line.technology !== before.technology) this.change(id, { technology: line.technology || null });
    const type = this.typeIn(line, id);
    if (line.type !== before.type && type !== typeIdOf(node)) this.change(id, { type });
    this.finish(at, null);
  }

  private typeIn({ label, type }: NodeLine, id: string): string {
    return type ?? (this.holding.has(id) ? 'group' : typeByName(label, this.typeOf));
  }

  private checkType({ id, type }: DiagramNode, line: NodeLine): void {
    if (this.holding.has(id) && type === 'group' && this.typeIn(line, id) !== 'group')
      throw new Problem('Something stands under it, so it stays a group.');
  }

  // -- connections ------------------------------------------------------------------------------------------

  private takeEdge(at: number): void {
    const line = this.read.get(at);
    if (line?.form !== 'edge') return;
    const key = this.keyOf(at);
    const edge = key === null ? undefined : this.edges.get(idOf(key));
    const known = this.endsOf(line, edge);
    const { kind, label } = line;
    if (isSameEnd(line.source, line.target) || (known.source !== '' && known.source === known.target))
      throw new Problem('A node cannot be connected with itself.');
    this.checkUnequal(known, line, edge?.id);
    if (!this.isSent(at)) return;
    const ends = this.withNewNodes(known, line, at);
    if (edge) this.changeEdge(edge, line, ends);
    else {
      const id = this.ids.forEdge(ends.source, ends.target);
      const { direction } = line;
      this.newEdges.push({
        op: 'add_edge',
        id,
        ...ends,
        ...(label && { label }),
        ...(kind !== 'sync' && { kind }),
        ...(direction !== 'forward' && { direction }),
      });
      this.keys.set(at, edgeKey(id));
      this.putEdge({ id, ...ends, label, kind } as DiagramEdge);
    }
    this.finish(at, null);
  }

  private changeEdge(edge: DiagramEdge, line: EdgeLine, { source, target }: Ends): void {
    const { id } = edge;
    const before = this.readShown(edgeKey(id));
    const was = before.form === 'edge' ? before : line;
    const ends = {
      ...(source !== edge.source && { new_source: source }),
      ...(target !== edge.target && { new_target: target }),
    };
    const fields = {
      ...(line.label !== was.label && { label: line.label || null }),
      ...(line.kind !== was.kind && { kind: line.kind }),
      ...(line.direction !== was.direction && { direction: line.direction }),
    };
    const operations: Operation[] = [];
    if (Object.keys(ends).length > 0) operations.push({ op: 'rewire_edge', id, ...ends });
    if (Object.keys(fields).length > 0) operations.push({ op: 'update_edge', id, ...fields });
    // With its new ends and its old words it may be the same as another one.
    if (this.hasTwin({ source, target }, edge, id)) operations.reverse();
    this.edgeOperations.push(...operations);
    if (operations.length > 0) this.changedEdges.add(id);
    const { kind, label } = line;
    this.putEdge({ ...edge, source, target, label, kind });
  }

  private putEdge(edge: DiagramEdge): void {
    const before = this.edges.get(edge.id);
    if (before) this.count(before, -1);
    this.count(edge, 1);
    this.edges.set(edge.id, edge);
  }

  private count(edge: DiagramEdge, by: number): void {
    const said = saidBy(edge, edge);
    this.twins.set(said, (this.twins.get(said) ?? 0) + by);
  }

  /** Both ends; one that the line says as it was printed stays what it is now, and one that nobody is called is empty. */
  private endsOf(line: EdgeLine, edge: DiagramEdge | undefined): Ends {
    const printed = edge && this.readShown(edgeKey(edge.id));
    const before = printed?.form === 'edge' ? printed : null;
    const find = (way: 'source' | 'target'): string => {
      const isSame = before && edge && printEnd(before[way]) === printEnd(line[way]);
      return isSame ? edge[way] : this.nodeAt(line[way]);
    };
    return { source: find('source'), target: find('target') };
  }

  private nodeAt(end: End): string {
    if ('id' in end) {
      if (this.added.has(end.id)) return end.id;
      if (this.nodes.has(end.id) && !this.gone.has(nodeKey(end.id))) return end.id;
      throw new Problem(`There is no node #${end.id}.`);
    }
    const [found, ...others] = this.names.get(folded(end.name)) ?? [];
    if (others.length > 0) {
      const ids = [found, ...others].map((id) => `#${id}`).join(' or ');
      throw new Problem(`Several nodes are called “${end.name}”. Write ${ids}.`);
    }
    return found ?? '';
  }

  /** A name that nobody has is that of a new node. */
  private withNewNodes({ source, target }: Ends, line: EdgeLine, at: number): Ends {
    if ((source === '' || target === '') && at === this.choice.caret) throw new NotYet();
    return { source: source || this.addNamed(line.source), target: target || this.addNamed(line.target) };
  }

  private addNamed(end: End): string {
    const label = 'name' in end ? end.name.trim() : end.id;
    const type = typeByName(label, this.typeOf);
    const id = this.ids.forNode(label, type);
    this.added.set(id, { op: 'add_node', id, type, label });
    this.name(label, id);
    return id;
  }

  private checkUnequal(ends: Ends, line: EdgeLine, own: string | undefined): void {
    if (this.hasTwin(ends, line, own))
      throw new Problem('They are connected like that already. Say what else flows, or by which kind.');
  }

  /** Whether another connection has these ends, label and kind. */
  private hasTwin(ends: Ends, words: Words, own: string | undefined): boolean {
    const said = saidBy(ends, words);
    const itself = own === undefined ? undefined : this.edges.get(own);
    const isOwn = itself !== undefined && saidBy(itself, itself) === said;
    return (this.twins.get(said) ?? 0) > Number(isOwn);
  }

  // -- together ---------------------------------------------------------------------------------------------

  private finish(at: number, key: string | null): void {
    if (key !== null) this.keys.set(at, key);
    // A line that is being written is left as it is spelled.
    if (at !== this.choice.caret || this.isChanged(this.keyOf(at))) this.settled.add(at);
  }

  private isChanged(key: string | null): boolean {
    const id = key === null ? '' : idOf(key);
    if (isNodeKey(key)) return this.changed.has(id) || this.moved.has(id);
    return this.changedEdges.has(id);
  }

  /** In an order in which each finds what it needs; what moves to one group is one operation. */
  private operations(): Operation[] {
    const groups = new Map<string | null, string[]>();
    for (const [id, group] of this.moved) addTo(groups, group, id);
    const nodes = this.deleted.filter(isNodeKey).map(idOf);
    const gone = new Set(nodes);
    const cut = this.deleted
      .flatMap((key) => (isNodeKey(key) ? [] : (this.allEdges.get(idOf(key)) ?? [])))
      .filter((edge) => !touches(edge, gone))
      .map(({ id }) => id);
    return [
      ...cut.map((id): Operation => ({ op: 'delete_edge', id })),
      ...this.changed.values(),
      ...this.added.values(),
      ...[...groups].map(([group, ids]): Operation => ({ op: 'move_to_group', ids, group })),
      ...this.edgeOperations,
      ...this.newEdges,
      ...inParts(nodes).map((ids): Operation => ({ op: 'delete_nodes', ids })),
    ];
  }
}

/** As many ids as an operation takes. */
function inParts(ids: readonly string[]): string[][] {
  const parts: string[][] = [];
  for (let at = 0; at < ids.length; at += MOST_IDS) parts.push(ids.slice(at, at + MOST_IDS));
  return parts;
}

const isSameEnd = (one: End, other: End): boolean =>
  'name' in one && 'name' in other && folded(one.name) === folded(other.name);

/** What a connection says, which no other one may. */
const saidBy = ({ source, target }: Ends, { label, kind }: Words): string =>
  JSON.stringify([source, target, label, kind]);

const touches = ({ source, target }: DiagramEdge, nodes: ReadonlySet<string>): boolean =>
  nodes.has(source) || nodes.has(target);
