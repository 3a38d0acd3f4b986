/** What arrow keys do on the canvas: with a selection they move it, with Alt or without one they go from node to node. */
import { useEffect, useMemo, useRef } from 'react';
import { type Direction, nearestTowards } from '../../../model/drawing/directions';
import { type DrawnNode, isFrame } from '../../../model/drawing/drawing';
import { carriedBy, cornersOf, moved, shifted } from '../../../model/gestures/move';
import type { Point } from '../../../protocol/types';
import type { Command } from '../../commands/commands';
import { IDLE } from '../canvasState';
import { type PointerContext, showMoved, visibleBox } from '../pointer/pointerContext';

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

/** A pause after which the steps so far become one change. */
const NUDGE_PAUSE_MS = 250;
const STEP_KEYS = /^(Arrow|Shift|Control|Meta|Alt)/;

interface Nudging {
  key: string;
  by: Point;
  timer: ReturnType<typeof setTimeout>;
  commit: () => void;
}

/** Moves the selection by small steps; all steps until a pause become one change. */
export function useNudge(pointer: PointerContext): (by: Point) => void {
  const newest = useRef(pointer);
  newest.current = pointer;
  const nudging = useRef<Nudging | null>(null);
  // On leaving the page the pending steps are committed.
  useEffect(() => () => nudging.current?.commit(), []);
  useEffect(() => {
    // Pending steps are committed before the next change, so that undo takes them separately.
    const end = (event: Event) => {
      if (!(event instanceof KeyboardEvent && STEP_KEYS.test(event.key))) nudging.current?.commit();
    };
    const ends = new AbortController();
    const options = { capture: true, signal: ends.signal };
    window.addEventListener('keydown', end, options);
    window.addEventListener('pointerdown', end, options);
    return () => ends.abort();
  }, []);
  return (by) => {
    const { context, store, drawing, say } = newest.current;
    const { selection } = context.ui.get();
    const key = [...selection.nodes].join(' ');
    if (nudging.current && nudging.current.key !== key) nudging.current.commit();
    const { roots, all } = carriedBy(context.client.view, selection.nodes);
    if (roots.length === 0) {
      say('Locked: nothing was moved');
      return;
    }
    const before = nudging.current?.by ?? { x: 0, y: 0 };
    clearTimeout(nudging.current?.timer);
    const sum = { x: before.x + by.x, y: before.y + by.y };
    const commit = () => {
      clearTimeout(nudging.current?.timer);
      nudging.current = null;
      const { view } = context.client;
      const there = roots.filter((id) => view.nodes.has(id));
      void context.edit(moved(view, shifted(cornersOf(view, there), sum)));
      store.setState(IDLE);
      say('Moved');
    };
    nudging.current = { key, by: sum, timer: setTimeout(commit, NUDGE_PAUSE_MS), commit };
    const boxes = drawing().nodes.filter(({ node }) => all.has(node.id));
    showMoved(
      newest.current,
      new Map(boxes.map(({ node, box }) => [node.id, { x: box.x + sum.x, y: box.y + sum.y }])),
    );
  };
}

const ARROWS = [
  ['ArrowUp', 'up', { x: 0, y: -1 }],
  ['ArrowDown', 'down', { x: 0, y: 1 }],
  ['ArrowLeft', 'left', { x: -1, y: 0 }],
  ['ArrowRight', 'right', { x: 1, y: 0 }],
] as const;
/** Pixels of a step, and of one with Shift. */
const NEAR = 8;
const FAR = 40;

const WHERE = { up: 'above', down: 'below', left: 'on the left', right: 'on the right' } as const;

/** The commands of arrow keys, which are hidden in the command palette. */
export function arrowCommands(
  { context }: PointerContext,
  nudge: (by: { x: number; y: number }) => void,
  arrowKeys: ArrowKeys,
): Command[] {
  const { ui, access } = context;
  const canNudge = () => access.isWritable && ui.get().selection.nodes.size > 0;
  return ARROWS.flatMap(([key, direction, { x, y }]): Command[] => [
    {
      id: `arrange.nudge-${direction}`,
      title: `Move ${direction}`,
      group: 'Arrange',
      keys: [key],
      reach: 'canvas',
      isHidden: true,
      isEnabled: () => canNudge() || ui.get().selection.nodes.size === 0,
      // Without a selection there is nothing to move: the arrows navigate.
      run: () => (canNudge() ? nudge({ x: x * NEAR, y: y * NEAR }) : arrowKeys.towards(direction)),
    },
    {
      id: `arrange.nudge-far-${direction}`,
      title: `Move far ${direction}`,
      group: 'Arrange',
      keys: [`Shift+${key}`],
      reach: 'canvas',
      isHidden: true,
      isEnabled: canNudge,
      run: () => nudge({ x: x * FAR, y: y * FAR }),
    },
    {
      id: `select.${direction}`,
      title: `Select the next node ${WHERE[direction]}`,
      group: 'Select',
      keys: [`Alt+${key}`],
      reach: 'canvas',
      isHidden: true,
      run: () => arrowKeys.towards(direction),
    },
  ]);
}
