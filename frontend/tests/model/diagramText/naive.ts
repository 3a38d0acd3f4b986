/**
 * A second, naive model of a diagram: plain records that are changed by what somebody means to do, without lines, operations
 * or steps. The engine's workspace is compared with it.
 */
import type { WorkspaceState } from '../../../src/model/core/workspace';

export interface NaiveNode {
  label: string;
  type: string;
  technology: string;
  color: string;
  parent: string | null;
  /** Top left in the diagram. */
  x: number;
  y: number;
}

export interface NaiveEdge {
  source: string;
  target: string;
  label: string;
  kind: string;
  direction: string;
}

export class Naive {
  readonly nodes = new Map<string, NaiveNode>();
  readonly edges = new Map<string, NaiveEdge>();

  children(id: string | null): string[] {
    return [...this.nodes].filter(([, { parent }]) => parent === id).map(([child]) => child);
  }

  /** A node and all that stands in it. */
  inside(id: string): string[] {
    return [id, ...this.children(id).flatMap((child) => this.inside(child))];
  }

  depthOf(id: string): number {
    const parent = this.nodes.get(id)?.parent ?? null;
    return parent === null ? 0 : 1 + this.depthOf(parent);
  }

  isAlone(label: string): boolean {
    return [...this.nodes.values()].filter((node) => same(node.label, label)).length === 1;
  }

  hasSibling(label: string, parent: string | null): boolean {
    return this.children(parent).some((id) => same(this.nodes.get(id)?.label ?? '', label));
  }

  isConnected({ source, target, label, kind }: Omit<NaiveEdge, 'direction'>): boolean {
    return [...this.edges.values()].some(
      (edge) =>
        edge.source === source && edge.target === target && edge.label === label && edge.kind === kind,
    );
  }

  /** What a node holds goes up, and its connections go with it. */
  deleteNode(id: string): void {
    const parent = this.nodes.get(id)?.parent ?? null;
    for (const child of this.children(id)) Object.assign(this.nodes.get(child) as NaiveNode, { parent });
    for (const [edge, { source, target }] of [...this.edges])
      if (source === id || target === id) this.edges.delete(edge);
    this.nodes.delete(id);
  }
}

const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** A workspace in the same form. */
export function seenIn(workspace: WorkspaceState): Naive {
  const naive = new Naive();
  for (const [id, { label, type, technology, color, parent, position }] of workspace.nodes) {
    const origin = workspace.originOf(parent ?? null);
    naive.nodes.set(id, {
      label,
      type,
      technology: technology ?? '',
      color: color ?? '',
      parent: parent ?? null,
      x: position.x + origin.x,
      y: position.y + origin.y,
    });
  }
  for (const [id, { source, target, label, kind, direction }] of workspace.edges)
    naive.edges.set(id, {
      source,
      target,
      label: label ?? '',
      kind: kind ?? 'sync',
      direction: direction ?? 'forward',
    });
  return naive;
}
