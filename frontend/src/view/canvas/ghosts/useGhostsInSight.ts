/** Brings ghosts into view on request, and as they appear on an empty canvas. */
import { useReactFlow, useStore, useStoreApi } from '@xyflow/react';
import { useEffect, useRef } from 'react';
import { boxAround, inflated } from '../../../model/drawing/boxes';
import { type GhostDrawing, ghostBoxes } from '../../../model/drawing/ghostDrawing';
import { isInView, viewportFor } from '../../../model/drawing/viewport';
import { useEditorContext } from '../../context/EditorContext';
import type { Ghosts, UiStore } from '../../context/uiState';
import { prefersReducedMotion } from '../../ui/reducedMotion';
import { canvasAreaOf, type ViewportControls } from '../useFitView';

/** The last request that was carried out, also by an earlier canvas. */
const metAt = new WeakMap<UiStore, number>();
/** A shown node should be readable. */
const LEGIBLE = 0.85;
/** Below this zoom ghosts do not count as visible. */
const READABLE = 0.4;
/** Signs extend a little beyond their boxes. */
const ROOM = 16;

interface ShowGhostsInput {
  ghosts: Ghosts;
  drawn: GhostDrawing;
  /** Whether there is nothing but ghosts. */
  isAlone: boolean;
  viewport: ViewportControls;
}

export function useShowGhosts({ ghosts, drawn, isAlone, viewport }: ShowGhostsInput): void {
  const { ui } = useEditorContext();
  const flow = useReactFlow();
  const store = useStoreApi();
  const hasRoom = useStore(({ width }) => width > 0);
  const touch = useRef(viewport.touch);
  touch.current = viewport.touch;
  const framedOf = useRef('');
  useEffect(() => {
    const { domNode, width, height } = store.getState();
    const isAsked = ghosts.at > (metAt.get(ui) ?? 0);
    if (!hasRoom || !domNode || !(isAsked || isAlone)) return;
    const boxes = ghostBoxes(drawn).map((box) => inflated(box, ROOM));
    const around = boxAround(boxes);
    if (!around) return;
    metAt.set(ui, ghosts.at);
    const sight = canvasAreaOf(domNode, width, height);
    const isFirst = isAlone && framedOf.current !== ghosts.of;
    framedOf.current = ghosts.of;
    if (!isFirst && flow.getZoom() >= READABLE && isInView(around, flow.getViewport(), sight)) return;
    if (!isAlone) touch.current();
    const maxZoom = Math.min(Math.max(flow.getZoom(), LEGIBLE), 1.1);
    const view = viewportFor(boxes, boxes, sight, { minZoom: 0.1, maxZoom });
    void flow.setViewport(view, { duration: prefersReducedMotion() ? 0 : 250 });
  }, [ghosts.at, ghosts.of, drawn, isAlone, hasRoom, ui, flow, store]);
}
