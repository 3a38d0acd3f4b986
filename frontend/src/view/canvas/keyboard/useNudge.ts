/** Moves the selection by small steps; all steps until a pause become one change. */
import { useEffect, useRef } from 'react';
import { carriedBy, cornersOf, moved, shifted } from '../../../model/gestures/move';
import type { Point } from '../../../protocol/types';
import { IDLE } from '../canvasState';
import { type PointerContext, showMoved } from '../pointer/pointerContext';

const QUIET_MS = 250;
const STEP_KEYS = /^(Arrow|Shift|Control|Meta|Alt)/;

interface Nudging {
  key: string;
  by: Point;
  timer: ReturnType<typeof setTimeout>;
  commit: () => void;
}

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
    window.addEventListener('keydown', end, { capture: true });
    window.addEventListener('pointerdown', end, { capture: true });
    return () => {
      window.removeEventListener('keydown', end, { capture: true });
      window.removeEventListener('pointerdown', end, { capture: true });
    };
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
    nudging.current = { key, by: sum, timer: setTimeout(commit, QUIET_MS), commit };
    const boxes = drawing().nodes.filter(({ node }) => all.has(node.id));
    showMoved(
      newest.current,
      new Map(boxes.map(({ node, box }) => [node.id, { x: box.x + sum.x, y: box.y + sum.y }])),
    );
  };
}
