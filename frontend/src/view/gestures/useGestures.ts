/** Pointer gestures as changes of the workspace. */
import { useMemo } from 'react';
import type { Point } from '../../protocol/types';
import { useEditorContext } from '../context/EditorContext';
import { useToasts } from '../ui/overlay/Toasts';
import { connectNodes, place } from './actions';
import { arrange } from './arrangingPart';
import { overlayOf, type Target } from './overlay';

export type { Target } from './overlay';

/** Points are in the diagram's coordinates; `screen` is where a menu may open, in pixels of the window. */
export interface Gestures {
  connect: (source: string, target: string) => void;
  /** An edge was dropped on nothing: offers to add a connected node. */
  connectToEmpty: (source: string, at: Point, screen: Point) => void;
  /** Places a node of a type with its centre at a point, inside the innermost group there. */
  place: (type: string, at: Point) => void;
  /** Moves nodes that were dragged that far into a group, where there is room. Answers whether it was done; if not, a toast says why. */
  moveInto: (ids: readonly string[], by: Point, group: string) => Promise<boolean | undefined>;
  openMenu: (target: Target, at: Point, screen: Point) => void;
}

export function useGestures(): Gestures {
  const context = useEditorContext();
  const toasts = useToasts();
  return useMemo(() => {
    const { open } = overlayOf(context.ui);
    return {
      connect: (source, target) => connectNodes(context, toasts, source, target),
      connectToEmpty: (source, at, screen) => {
        if (context.access.isWritable) open.setState({ open: { kind: 'picker', source, at, screen } });
      },
      place: (type, at) => place(context, toasts, type, at),
      moveInto: (ids, by, group) => arrange(toasts, (part) => part.dropInto(context, toasts, ids, by, group)),
      openMenu: (target, at, screen) => {
        const { selection } = context.ui.get();
        // A context menu outside the selection changes the selection.
        if (target.kind === 'node' && !selection.nodes.has(target.id)) context.ui.select([target.id]);
        if (target.kind === 'edge' && !selection.edges.has(target.id)) context.ui.select([], [target.id]);
        open.setState({ open: { kind: 'menu', target, at, screen } });
      },
    };
  }, [context, toasts]);
}
