/** Queries of gestures about a diagram: boxes, groups, locks. Pure; built once for each gesture. */
import type { Diagram, DiagramEdge, DiagramNode, Point } from '../../protocol/types';
import { type Box, type Placed, placeNodes } from '../drawing/boxes';
import { lockedNodes } from '../drawing/drawing';

export class Scene {
  readonly nodes: ReadonlyMap<string, DiagramNode>;
  readonly edges: ReadonlyMap<string, DiagramEdge>;
  private readonly placed: ReadonlyMap<string, Placed>;
  private readonly locked: ReadonlySet<string>;
  private readonly inside = new Map<string, string[]>();

  /** @param closed collapsed groups: nothing can be dropped into them */
  constructor(
    readonly diagram: Diagram,
    private readonly closed: ReadonlySet<string> = new Set(),
  ) {
    this.nodes = new Map(diagram.nodes.map((node) => [node.id, node]));
    this.edges = new Map(diagram.edges.map((edge) => [edge.id, edge]));
    this.placed = placeNodes(diagram.nodes);
    this.locked = lockedNodes(diagram.nodes);
    for (const { id, parent } of diagram.nodes) {
      if (parent === null) continue;
      const siblings = this.inside.get(parent);
      if (siblings) siblings.push(id);
      else this.inside.set(parent, [id]);
    }
  }

  boxOf(id: string): Box | undefined {
    return this.placed.get(id)?.box;
  }

  /** Locked itself or by a group around it. */
  isLocked(id: string): boolean {
    return this.locked.has(id);
  }

  labelOf(id: string): string {
    return this.nodes.get(id)?.label ?? id;
  }

  childrenOf(id: string): readonly string[] {
    return this.inside.get(id) ?? [];
  }

  /** All descendants of a node, outer before inner; without itself. */
  contentsOf(id: string): string[] {
    const found = [...this.childrenOf(id)];
    for (let at = 0; at < found.length; at++) found.push(...this.childrenOf(found[at] as string));
    return found;
  }

  /** The ancestors of a node, innermost first. */
  groupsAround(id: string): string[] {
    const found: string[] = [];
    for (let at = this.nodes.get(id)?.parent; at && !found.includes(at); at = this.nodes.get(at)?.parent)
      found.push(at);
    return found;
  }

  /** The selected nodes without a selected ancestor; in the order of the diagram. */
  outermost(ids: Iterable<string>): string[] {
    const wanted = new Set(ids);
    return this.diagram.nodes
      .map(({ id }) => id)
      .filter((id) => wanted.has(id) && !this.groupsAround(id).some((group) => wanted.has(group)));
  }

  /** The origin of positions in a group; of the diagram for null. */
  originOf(group: string | null): Point {
    const origin = { x: 0, y: 0 };
    for (const id of group === null ? [] : [group, ...this.groupsAround(group)]) {
      const { x, y } = this.nodes.get(id)?.position ?? { x: 0, y: 0 };
      origin.x += x;
      origin.y += y;
    }
    return origin;
  }

  /** The innermost group at a point that accepts drops; null outside of all. */
  groupAt({ x, y }: Point): string | null {
    let found: { id: string; depth: number } | null = null;
    for (const { id, type } of this.diagram.nodes) {
      const place = this.placed.get(id);
      if (type !== 'group' || !place || this.isShut(id)) continue;
      const { box, depth } = place;
      const isIn = x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
      if (isIn && (!found || depth > found.depth)) found = { id, depth };
    }
    return found?.id ?? null;
  }

  private isShut(id: string): boolean {
    return this.isLocked(id) || [id, ...this.groupsAround(id)].some((group) => this.closed.has(group));
  }
}
