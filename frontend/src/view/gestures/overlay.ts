/**
 * The open overlays of gestures, and functions for viewport and pointer: connects those that start a gesture (canvas,
 * palette, keys) with the layer that shows its menu.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Box } from '../../model/drawing/boxes';
import type { LandingPreview } from '../../model/gestures/landing';
import type { Point } from '../../protocol/types';
import type { UiStore } from '../context/uiState';

/** The target of a context menu. */
export type Target = { kind: 'node' | 'edge'; id: string } | { kind: 'canvas' };

/** Points are in the diagram's coordinates; `screen` is in pixels of the window. */
export type Open =
  | { kind: 'menu'; target: Target; at: Point; screen: Point }
  /** Choose a type to add there; connected with `source` unless it is null. */
  | { kind: 'picker'; source: string | null; at: Point; screen: Point };

export interface Overlay {
  open: StoreApi<{ open: Open | null }>;
  /** The visible part of the diagram; null without a canvas. */
  sight: (() => Box) | null;
  /** Shows where something would go that is moved into a group; null without a canvas. */
  showLanding: ((landing: LandingPreview | null) => void) | null;
  /** From the diagram to the window; null without a canvas. */
  toScreen: ((point: Point) => Point) | null;
  /** The pointer in the diagram; null while it is elsewhere. */
  pointer: (() => Point) | null;
}

const overlays = new WeakMap<UiStore, Overlay>();

/** The overlay of an open workspace, one for each. */
export function overlayOf(ui: UiStore): Overlay {
  let overlay = overlays.get(ui);
  if (!overlay) {
    overlay = {
      open: createStore(() => ({ open: null as Open | null })),
      sight: null,
      showLanding: null,
      toScreen: null,
      pointer: null,
    };
    overlays.set(ui, overlay);
  }
  return overlay;
}
