/**
 * A workspace as the live protocol sends it: name, text, nodes, edges, and the indexes that keep every step O(what it
 * touches). Twin of the server's `model/diagram.py` and `model/workspace.py`.
 *
 * Every node and edge has a `birth`, the revision that made it, which distinguishes a reused id from the one before.
 * The mutating methods are for steps only (`steps.ts`) and check nothing.
 */
import type { Content } from '../../protocol/live';
import type { CustomType, CustomTypes } from '../../protocol/types';
import { type Fields, type Json, withFields } from './values';

export type { Fields, Json } from './values';

/** CSS pixels; of a node relative to the parent's top left, of a bend point to the diagram's. */
export type XY = { readonly x: number; readonly y: number };

/** Optional texts of a node, in the order in which a change of them is told; the server's table has the same name. */
export const NODE_TEXTS = ['technology', 'description', 'notes', 'image', 'color', 'style'] as const;

/** Those of an edge, beside its label. */
export const EDGE_TEXTS = ['description', 'color', 'style', 'shape'] as const;

export type NodeText = (typeof NODE_TEXTS)[number];
export type EdgeText = (typeof EDGE_TEXTS)[number];

/** All optional texts of a node, each as told. */
export const nodeTexts = (of: (name: NodeText) => string): Record<NodeText, string> =>
  Object.fromEntries(NODE_TEXTS.map((name) => [name, of(name)])) as Record<NodeText, string>;

/** A node without its id. */
export interface NodeRecord extends Fields, Partial<Readonly<Record<NodeText, string>>> {
  readonly birth: number;
  readonly type: string;
  readonly custom_type?: string;
  readonly label: string;
  readonly position: XY;
  readonly size?: { readonly width: number; readonly height: number };
  readonly parent?: string;
  readonly properties?: { readonly [key: string]: string };
  readonly locked?: boolean;
}

/** An edge without its id; an absent `kind` is `sync`, an absent `direction` is `forward`. */
export interface EdgeRecord extends Fields, Partial<Readonly<Record<EdgeText, string>>> {
  readonly birth: number;
  readonly source: string;
  readonly target: string;
  readonly label?: string;
  readonly kind?: string;
  readonly direction?: string;
  readonly properties?: { readonly [key: string]: string };
  readonly route?: readonly XY[];
  readonly route_by?: string;
  readonly label_at?: number;
}

type Values = Iterable<readonly [string, Json]>;
type Neighbours = Map<string, Set<string>>;

const NOTHING: ReadonlySet<string> = new Set();

export class WorkspaceState {
  name = '';
  /** Line ends of what was imported: lf, crlf or mixed. `text` itself has LF. */
  eol = 'lf';
  text = '';
  /** Definitions of custom types, by id; undefined where there is none. */
  types: CustomTypes | undefined;
  readonly #nodes = new Map<string, NodeRecord>();
  readonly #edges = new Map<string, EdgeRecord>();
  readonly #children = new Map<string | null, Set<string>>();
  // By node, then by neighbour: ids of the edges between the two. A set is shared by both directions.
  readonly #out = new Map<string, Neighbours>();
  readonly #in = new Map<string, Neighbours>();

  /** Builds the workspace of `content`; takes its values over, copies none. */
  static from(content: Content): WorkspaceState {
    const workspace = new WorkspaceState();
    workspace.name = content.name;
    workspace.eol = content.eol;
    workspace.text = content.text;
    workspace.types = content.types;
    for (const [id, fields] of content.nodes) workspace.addNode(id, fields as NodeRecord);
    for (const [id, source, target, fields] of content.edges)
      workspace.addEdge(id, { ...fields, source, target } as EdgeRecord);
    return workspace;
  }

  /** The canonical form, sorted by id: equal workspaces give equal contents, whatever their history. */
  toContent(): Content {
    return {
      name: this.name,
      eol: this.eol,
      text: this.text,
      ...(this.types && { types: this.types }),
      nodes: [...this.#nodes].sort(byId),
      edges: [...this.#edges].sort(byId).map(([id, { source, target, ...fields }]) => {
        return [id, source, target, fields];
      }),
    };
  }

  get nodes(): ReadonlyMap<string, NodeRecord> {
    return this.#nodes;
  }

  get edges(): ReadonlyMap<string, EdgeRecord> {
    return this.#edges;
  }

  // -- nodes ---------------------------------------------------------------------------------------------------------

  addNode(id: string, record: NodeRecord): void {
    this.#nodes.set(id, record);
    this.#out.set(id, new Map());
    this.#in.set(id, new Map());
    this.#enter(id, record.parent ?? null);
  }

  /** For a node that has neither edges nor children. */
  removeNode(id: string): void {
    this.#leave(id, this.#node(id).parent ?? null);
    this.#nodes.delete(id);
    this.#out.delete(id);
    this.#in.delete(id);
  }

  setNode(id: string, values: Values): void {
    const before = this.#node(id);
    const after = withFields(before, values);
    this.#nodes.set(id, after);
    if (before.parent !== after.parent) {
      this.#leave(id, before.parent ?? null);
      this.#enter(id, after.parent ?? null);
    }
  }

  #node(id: string): NodeRecord {
    return this.#nodes.get(id) as NodeRecord;
  }

  #enter(id: string, parent: string | null): void {
    const children = this.#children.get(parent);
    if (children) children.add(id);
    else this.#children.set(parent, new Set([id]));
  }

  #leave(id: string, parent: string | null): void {
    const children = this.#children.get(parent);
    children?.delete(id);
    if (children?.size === 0) this.#children.delete(parent);
  }

  // -- custom types --------------------------------------------------------------------------------------------------

  setType(id: string, definition: CustomType | null): void {
    const types = withFields<Fields>({ ...this.types }, [[id, definition]]);
    this.types = Object.keys(types).length > 0 ? (types as CustomTypes) : undefined;
  }

  // -- containment ---------------------------------------------------------------------------------------------------

  /** Ids of the direct children of a group; of the top level for null. */
  children(parent: string | null): ReadonlySet<string> {
    return this.#children.get(parent) ?? NOTHING;
  }

  /** The groups around a node, innermost first. */
  ancestors(id: string): string[] {
    const found: string[] = [];
    for (let parent = this.#nodes.get(id)?.parent; parent !== undefined; ) {
      found.push(parent);
      parent = this.#nodes.get(parent)?.parent;
    }
    return found;
  }

  /** The node and all its descendants, outermost first. */
  subtree(id: string): string[] {
    const found = [id];
    for (let at = 0; at < found.length; at++) found.push(...this.children(found[at] as string));
    return found;
  }

  /** The node whose lock covers this one, itself or an ancestor; null if there is none. */
  lockOn(id: string): string | null {
    for (let at: string | undefined = id; at !== undefined; ) {
      const record = this.#nodes.get(at);
      if (record?.locked) return at;
      at = record?.parent;
    }
    return null;
  }

  /** The top left corner of a group in the diagram; the origin for null. */
  originOf(parent: string | null): XY {
    let x = 0;
    let y = 0;
    for (let at = parent; at !== null; ) {
      const record = this.#nodes.get(at);
      x += record?.position?.x ?? 0;
      y += record?.position?.y ?? 0;
      at = record?.parent ?? null;
    }
    return { x, y };
  }

  // -- edges ---------------------------------------------------------------------------------------------------------

  /** Ids of the edges that begin or end at a node, each once. */
  edgesAt(id: string): string[] {
    const found: string[] = [];
    for (const neighbours of [this.#out.get(id), this.#in.get(id)])
      for (const edges of neighbours?.values() ?? []) found.push(...edges);
    return found;
  }

  hasEdges(id: string): boolean {
    return (this.#out.get(id)?.size ?? 0) + (this.#in.get(id)?.size ?? 0) > 0;
  }

  /** Ids of the edges from one node to another. */
  edgesBetween(source: string, target: string): ReadonlySet<string> {
    return this.#out.get(source)?.get(target) ?? NOTHING;
  }

  /** Another edge with the same ends, label and kind, or null. */
  equalEdge(source: string, target: string, label: string, kind: string, besides = ''): string | null {
    for (const id of this.edgesBetween(source, target)) {
      const other = this.#edges.get(id);
      if (id !== besides && (other?.label ?? '') === label && (other?.kind ?? 'sync') === kind) return id;
    }
    return null;
  }

  addEdge(id: string, record: EdgeRecord): void {
    this.#edges.set(id, record);
    this.#connect(id, record);
  }

  removeEdge(id: string): void {
    this.#disconnect(id, this.#edge(id));
    this.#edges.delete(id);
  }

  setEdge(id: string, values: Values): void {
    const before = this.#edge(id);
    const after = withFields(before, values);
    this.#edges.set(id, after);
    if (before.source !== after.source || before.target !== after.target) {
      this.#disconnect(id, before);
      this.#connect(id, after);
    }
  }

  #edge(id: string): EdgeRecord {
    return this.#edges.get(id) as EdgeRecord;
  }

  #connect(id: string, { source, target }: EdgeRecord): void {
    const known = this.#out.get(source)?.get(target);
    if (known) {
      known.add(id);
      return;
    }
    const edges = new Set([id]);
    this.#out.get(source)?.set(target, edges);
    this.#in.get(target)?.set(source, edges);
  }

  #disconnect(id: string, { source, target }: EdgeRecord): void {
    const edges = this.edgesBetween(source, target) as Set<string>;
    edges.delete(id);
    if (edges.size > 0) return;
    this.#out.get(source)?.delete(target);
    this.#in.get(target)?.delete(source);
  }
}

function byId([one]: readonly [string, ...unknown[]], [other]: readonly [string, ...unknown[]]): number {
  return one < other ? -1 : Number(one > other);
}
