/**
 * What is going on under the pointer on this canvas: things on the move, lines that help, a rectangle being drawn.
 * It lasts as long as a gesture; what comes of it is a change of the workspace or of the selection.
 */
import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Box } from '../../model/drawing/boxes';
import type { Marks } from '../../model/drawing/compare';
import type { Drawing, DrawnEdge } from '../../model/drawing/drawing';
import type { Guide } from '../../model/gestures/snap';
import type { Point } from '../../protocol/types';

/** A line that is being drawn from a node. */
export interface PendingEdge {
  source: string;
  to: Point;
  /** The node that it would end at now. */
  target: string | null;
}

export interface CanvasState {
  /** The drawing while things are dragged, nudged or pulled larger. */
  moving: Drawing | null;
  /** The lines in it that are not where they were; only these are drawn anew for each step of the hand. */
  movingLines: ReadonlyMap<string, DrawnEdge> | null;
  guides: readonly Guide[];
  /** The group that would take in what is dragged. */
  dropInto: string | null;
  marquee: Box | null;
  pull: PendingEdge | null;
  /** The node that the Tab key leads to. */
  active: string | null;
  /** What is proposed: its marks on what is there, and whether anything would be new. Set by the layer that draws it. */
  proposed: { marks: Marks; hasNodes: boolean } | null;
  /** What was said last to those who cannot see it. */
  spoken: string;
}

export type CanvasStore = StoreApi<CanvasState>;

export const IDLE = {
  moving: null,
  movingLines: null,
  guides: [],
  dropInto: null,
  marquee: null,
  pull: null,
} as const;

export const createCanvasStore = (): CanvasStore =>
  createStore<CanvasState>(() => ({ ...IDLE, active: null, proposed: null, spoken: '' }));

export interface CanvasContextValue {
  store: CanvasStore;
  /** Whether anything may be changed here. */
  isWritable: boolean;
  /** So far away that only shapes can be told apart. */
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
