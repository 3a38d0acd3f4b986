/**
 * The diagram of a workspace in the shapes of the HTTP API, for everything that draws or lists it.
 *
 * An unchanged node or edge keeps its identity, so that views that compare by identity update only what changed. Twin
 * of the server's `diagram_json`. Not here: geometry (`model/drawing/boxes.ts`, `model/drawing/drawing.ts`).
 */
import type { CustomTypes, Diagram, DiagramEdge, DiagramNode } from '../../protocol/types';
import { customOf } from './customTypes';
import { type EdgeRecord, type NodeRecord, nodeTexts, type WorkspaceState } from './workspace';

export class DiagramView {
  private readonly nodes = new Map<string, { record: NodeRecord; node: DiagramNode }>();
  private readonly edges = new Map<string, { record: EdgeRecord; edge: DiagramEdge }>();
  private last: Diagram = { nodes: [], edges: [] };

  /** The current diagram; the same object where nothing has changed. */
  of(workspace: WorkspaceState): Diagram {
    const { types } = workspace;
    if (types !== this.last.types)
      for (const [id, { record }] of this.nodes) if (record.custom_type) this.nodes.delete(id);
    const nodes = entriesOf(workspace.nodes, this.nodes, (id, record) => ({
      record,
      node: nodeOf(id, record, types),
    }));
    const edges = entriesOf(workspace.edges, this.edges, (id, record) => ({
      record,
      edge: edgeOf(id, record),
    }));
    const isSame = (now: unknown[], before: readonly unknown[]) =>
      now.length === before.length && now.every((one, at) => one === before[at]);
    const nextNodes = nodes.map(({ node }) => node);
    const nextEdges = edges.map(({ edge }) => edge);
    const areNodesSame = isSame(nextNodes, this.last.nodes);
    const areEdgesSame = isSame(nextEdges, this.last.edges);
    if (areNodesSame && areEdgesSame && types === this.last.types) return this.last;
    this.last = {
      nodes: areNodesSame ? this.last.nodes : nextNodes,
      edges: areEdgesSame ? this.last.edges : nextEdges,
      ...(types && { types }),
    };
    return this.last;
  }
}

function entriesOf<R, E extends { record: R }>(
  records: ReadonlyMap<string, R>,
  known: Map<string, E>,
  make: (id: string, record: R) => E,
): E[] {
  const found: E[] = [];
  for (const [id, record] of records) {
    let entry = known.get(id);
    if (entry?.record !== record) {
      entry = make(id, record);
      known.set(id, entry);
    }
    found.push(entry);
  }
  if (known.size > records.size) for (const id of known.keys()) if (!records.has(id)) known.delete(id);
  return found;
}

/** A node with all fields; absent ones get their default. */
export function nodeOf(id: string, record: NodeRecord, types: CustomTypes | undefined): DiagramNode {
  return {
    id,
    type: record.type,
    ...customOf(record, types),
    label: record.label,
    ...nodeTexts((name) => record[name] ?? ''),
    properties: { ...record.properties },
    position: record.position,
    size: record.size ?? null,
    parent: record.parent ?? null,
    locked: record.locked ?? false,
  };
}

/** An edge with all fields; absent ones get their default. */
export function edgeOf(id: string, record: EdgeRecord): DiagramEdge {
  return {
    id,
    source: record.source,
    target: record.target,
    label: record.label ?? '',
    kind: record.kind ?? 'sync',
    direction: record.direction ?? 'forward',
    description: record.description ?? '',
    color: record.color ?? '',
    style: record.style ?? '',
    shape: record.shape ?? '',
    properties: { ...record.properties },
    route: record.route ? [...record.route] : null,
    route_by: record.route_by ?? null,
    label_at: record.label_at ?? null,
  };
}
