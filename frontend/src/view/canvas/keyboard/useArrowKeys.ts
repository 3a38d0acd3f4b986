/** Arrow key navigation between nodes and to their edges; the focus follows. */
import { useMemo, useRef } from 'react';
import { type Direction, nearestTowards } from '../../../model/drawing/directions';
import { type DrawnNode, isFrame } from '../../../model/drawing/drawing';
import { type PointerContext, visibleBox } from '../pointer/pointerContext';

export interface ArrowKeys {
  /** Selects the nearest node in a direction. */
  towards: (direction: Direction) => void;
  hasEdges: () => boolean;
  /** Selects the next edge of the current node. */
  nextEdge: () => void;
  /** Goes back from an edge to that node. Returns whether there was one. */
  backToNode: () => boolean;
}

/** Elements out of view are not rendered; it takes some frames until they are. */
const MAX_FRAMES = 30;

export function useArrowKeys(pointer: PointerContext): ArrowKeys {
  const newest = useRef(pointer);
  newest.current = pointer;
  const origin = useRef<string | null>(null);
  return useMemo(() => arrowKeysFor(() => newest.current, origin), []);
}

function arrowKeysFor(pointer: () => PointerContext, origin: { current: string | null }): ArrowKeys {
  const currentNode = (): string | null => {
    const { context, store } = pointer();
    const { nodes, edges } = context.ui.get().selection;
    if (edges.size > 0 && nodes.size === 0) return origin.current;
    return [...nodes].at(-1) ?? (hasFocus() ? store.getState().active : null);
  };
  const edgesAt = (id: string) =>
    pointer()
      .drawing()
      .edges.map(({ edge }) => edge)
      .filter(({ source, target }) => source === id || target === id);
  return {
    towards(direction) {
      const { drawing, context } = pointer();
      const from = currentNode();
      const { nodes } = drawing();
      const start = nodes.find(({ node }) => node.id === from);
      const next = start
        ? nearestTowards(start.box, direction, candidates(nodes, start))
        : nearestToMiddle(pointer());
      if (next === null) return;
      context.ui.show([next]);
      focusOn(`.react-flow__node[data-id="${CSS.escape(next)}"]`);
    },
    hasEdges() {
      const id = currentNode();
      return id !== null && edgesAt(id).length > 0;
    },
    nextEdge() {
      const id = currentNode();
      if (id === null) return;
      const edges = edgesAt(id);
      const { context } = pointer();
      const at = edges.findIndex((edge) => context.ui.get().selection.edges.has(edge.id));
      const next = edges[(at + 1) % edges.length];
      if (!next) return;
      origin.current = id;
      context.ui.select([], [next.id]);
      focusOn(`.react-flow__edge[data-id="${CSS.escape(next.id)}"]`);
    },
    backToNode() {
      const { context } = pointer();
      const { nodes, edges } = context.ui.get().selection;
      const id = origin.current;
      if (id === null || nodes.size > 0 || edges.size !== 1) return false;
      origin.current = null;
      const isThere = edgesAt(id).some((edge) => edges.has(edge.id));
      if (!isThere) return false;
      context.ui.select([id]);
      focusOn(`.react-flow__node[data-id="${CSS.escape(id)}"]`);
      return true;
    },
  };
}

/** The targets: cards and groups, but not the node's ancestors and descendants. */
function* candidates(nodes: readonly DrawnNode[], from: DrawnNode): Generator<[string, DrawnNode['box']]> {
  const parents = new Map(nodes.map(({ node }) => [node.id, node.parent]));
  const isAround = (outer: string, inner: string): boolean => {
    for (let at = parents.get(inner) ?? null; at !== null; at = parents.get(at) ?? null)
      if (at === outer) return true;
    return false;
  };
  for (const { node, box } of nodes) {
    if (node.id === from.node.id || isAround(node.id, from.node.id) || isAround(from.node.id, node.id))
      continue;
    yield [node.id, box];
  }
}

function nearestToMiddle(pointer: PointerContext): string | null {
  const { x, y, width, height } = visibleBox(pointer);
  const away = ({ box }: DrawnNode) =>
    Math.hypot(box.x + box.width / 2 - x - width / 2, box.y + box.height / 2 - y - height / 2);
  const cards = pointer.drawing().nodes.filter((drawn) => !isFrame(drawn));
  const nearest = cards.sort((a, b) => away(a) - away(b))[0];
  return nearest?.node.id ?? null;
}

const hasFocus = (): boolean => document.activeElement?.classList.contains('react-flow__node') ?? false;

function focusOn(selector: string, frames = MAX_FRAMES): void {
  const element = document.querySelector<HTMLElement>(`#diagram ${selector}`);
  if (element) element.focus({ preventScroll: true });
  else if (frames > 0) requestAnimationFrame(() => focusOn(selector, frames - 1));
}
