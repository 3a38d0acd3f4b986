/**
 * The state of a gesture on this canvas: moved things, guides, the marquee. It lasts as long as the gesture; the result
 * is a change of the workspace or of the selection.
 */
import { createContext, type ReactElement, useContext } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Box } from '../../model/drawing/boxes';
import type { Drawing, DrawnEdge, DrawnNode } from '../../model/drawing/drawing';
import type { GhostNode } from '../../model/drawing/ghostDrawing';
import type { CardForm } from '../../model/drawing/legible';
import type { LegibleLabel } from '../../model/drawing/legibleLabels';
import type { Marks } from '../../model/drawing/marks';
import type { LandingPreview } from '../../model/gestures/landing';
import type { Guide } from '../../model/gestures/snap';
import type { DiagramNode, Point } from '../../protocol/types';
import type { Part } from '../ui/loading/later';

/** An edge that is being drawn from a node. */
export interface PendingEdge {
  source: string;
  to: Point;
  /** The node that it would end at now. */
  target: string | null;
}

export interface CanvasState {
  /** The drawing during a drag, a nudge or a resize. */
  moving: Drawing | null;
  /** The lines in it that moved; only these are rendered for each pointer event. */
  movingLines: ReadonlyMap<string, DrawnEdge> | null;
  guides: readonly Guide[];
  /** The group that would accept the drop. */
  dropInto: string | null;
  /** Where in that group it would go. */
  landing: LandingPreview | null;
  marquee: Box | null;
  pull: PendingEdge | null;
  /** The node that the Tab key focuses. */
  active: string | null;
  /** The marks of ghosts on existing things, and the nodes among them. Set by the ghost layer. */
  proposed: { marks: Marks; nodes: readonly GhostNode[] } | null;
  /** The last announcement to screen readers. */
  spoken: string;
  /** The step of the zoom (`model/drawing/legible`). */
  step: number;
  /** How all cards are drawn at that step. */
  form: CardForm;
  /** The labels of lines at that step; null until they are placed. */
  labels: ReadonlyMap<string, LegibleLabel> | null;
  /** Whether all labels are shown, also those that lie on something. */
  areLabelsShown: boolean;
  /** What draws icons of cards where nodes have images, technologies or custom types with icons; null as long as none has. */
  Tile: Part<Pick<DiagramNode, 'type' | 'color' | 'image' | 'technology' | 'custom'>> | null;
  /** What draws what is written on notes, and texts; null until it is read. */
  Written: Part<{ drawn: Pick<DrawnNode, 'node' | 'box' | 'isLocked'>; isRenaming: boolean }> | null;
  /** What the legend says of styles and colours. */
  looks: readonly ReactElement[];
}

export type CanvasStore = StoreApi<CanvasState>;

export const IDLE = {
  moving: null,
  movingLines: null,
  guides: [],
  dropInto: null,
  landing: null,
  marquee: null,
  pull: null,
} as const;

export const createCanvasStore = (): CanvasStore =>
  createStore<CanvasState>(() => ({
    ...IDLE,
    active: null,
    proposed: null,
    spoken: '',
    step: 1,
    form: 0,
    labels: null,
    areLabelsShown: false,
    Tile: null,
    Written: null,
    looks: [],
  }));

export interface CanvasContextValue {
  store: CanvasStore;
  /** Whether anything may be changed here. */
  isWritable: boolean;
  /** So many lines, seen from so far away, that they are drawn as plain as can be. */
  isFar: boolean;
}

const CanvasContext = createContext<CanvasContextValue | null>(null);
export const CanvasProvider = CanvasContext.Provider;

export function useCanvas(): CanvasContextValue {
  const canvas = useContext(CanvasContext);
  if (!canvas) throw new Error('useCanvas outside of the canvas');
  return canvas;
}

export function useCanvasState<T>(part: (state: CanvasState) => T): T {
  return useStore(useCanvas().store, part);
}
