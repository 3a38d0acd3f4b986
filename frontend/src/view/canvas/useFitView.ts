/** Moves the viewport: fit all, fit some nodes, show what was requested. */
import { useReactFlow, useStore, useStoreApi } from '@xyflow/react';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { type Box, boxAround } from '../../model/drawing/boxes';
import { type Drawing, isFrame } from '../../model/drawing/drawing';
import {
  type CanvasArea,
  isInView,
  keptView,
  type Sight,
  solidOf,
  type Viewport,
  viewportFor,
} from '../../model/drawing/viewport';
import { useEditorContext, useUiState } from '../context/EditorContext';
import { prefersReducedMotion } from '../ui/reducedMotion';
import { useIsPhone } from '../ui/useMedia';

export const ZOOM = { minZoom: 0.02, maxZoom: 2.5 };
/** A small diagram is not enlarged beyond this. */
const FIT = { minZoom: ZOOM.minZoom, maxZoom: 1.1 };
/** On a phone the whole diagram is too small to read: the first view shows a readable part. */
const READABLE = 0.5;
/** A shown node should be readable. */
const LEGIBLE = 0.85;

export interface ViewportControls {
  showAll: () => void;
  /** Fits some nodes. */
  zoomTo: (ids: Iterable<string>) => void;
  /** Somebody has moved the canvas: it is no longer fitted automatically. */
  touch: () => void;
}

/** The viewport that shows all of a drawing. */
const wholeView = (drawing: Drawing, frame: CanvasArea, minZoom: number = FIT.minZoom): Viewport =>
  viewportFor(
    drawing.nodes.map(({ box }) => box),
    solidOf(drawing),
    frame,
    { ...FIT, minZoom },
  );

/** The size of the canvas, and the controls over it. */
export function canvasAreaOf(element: Element, width: number, height: number): CanvasArea {
  const room = element.getBoundingClientRect();
  const panels = element.querySelectorAll('.react-flow__panel:not(.react-flow__attribution), .edge-key ul');
  const controls = [...panels].flatMap((panel): Box[] => {
    const { left, top, width, height } = panel.getBoundingClientRect();
    return width * height > 0 ? [{ x: left - room.left, y: top - room.top, width, height }] : [];
  });
  return { width, height, controls };
}

/** @param isKnown whether the drawing is that of the server, and not only empty so far */
export function useFitView(drawing: Drawing, isKnown: boolean): ViewportControls {
  const flow = useReactFlow();
  const store = useStoreApi();
  const newest = useRef(drawing);
  newest.current = drawing;
  const isUntouched = useRef(true);
  const { shown, restored } = useLeftCanvas(newest, isUntouched);
  const frame = useCallback((): CanvasArea | null => {
    const { domNode, width, height } = store.getState();
    return domNode && width > 0 ? canvasAreaOf(domNode, width, height) : null;
  }, [store]);
  const go = useCallback(
    (view: Viewport, isGentle: boolean) => {
      void flow.setViewport(view, { duration: isGentle && !prefersReducedMotion() ? 250 : 0 });
    },
    [flow],
  );
  const show = useCallback(
    (isGentle: boolean, minZoom?: number) => {
      const room = frame();
      if (!room || newest.current.nodes.length === 0) return;
      isUntouched.current = true;
      go(wholeView(newest.current, room, minZoom), isGentle);
    },
    [frame, go],
  );
  const showAll = useCallback(() => show(true), [show]);
  const isPhone = useIsPhone();
  const refit = useCallback(() => show(false, isPhone ? READABLE : undefined), [show, isPhone]);
  const zoomTo = useCallback(
    (ids: Iterable<string>) => {
      const room = frame();
      const wanted = boxesAmong(newest.current, ids);
      if (!room || wanted.length === 0) return;
      isUntouched.current = false;
      go(viewportFor(wanted, wanted, room, { ...FIT, maxZoom: 1.5 }), true);
    },
    [frame, go],
  );
  const isAllInView = useCallback(() => {
    const room = frame();
    const around = boxAround(newest.current.nodes.map(({ box }) => box));
    return room !== null && around !== null && isInView(around, flow.getViewport(), room);
  }, [frame, flow]);
  const keep = useCallback(
    (before: Room, now: Room) => {
      const { x, y, zoom } = flow.getViewport();
      const down = isLowered(before, now) ? before.top - now.top : (now.height - before.height) / 2;
      go({ x: x + (now.width - before.width) / 2, y: y + down, zoom }, false);
    },
    [flow, go],
  );
  const begin = useCallback(() => {
    const view = restored();
    if (view) go(view, false);
    else refit();
  }, [restored, go, refit]);
  useReveal(newest, isUntouched, shown, frame, go);
  useRefit(drawing, isKnown, begin, refit, isUntouched, isAllInView, keep);
  const touch = useCallback(() => {
    isUntouched.current = false;
  }, []);
  return useMemo(() => ({ showAll, zoomTo, touch }), [showAll, zoomTo, touch]);
}

/**
 * Leaves to the next canvas of this workspace how this one was seen, and goes on from the one before: a change of the panes
 * takes the canvas away and draws another one. Who goes back without having moved anything has the same view again.
 */
function useLeftCanvas(drawing: RefObject<Drawing>, isUntouched: RefObject<boolean>) {
  const { ui } = useEditorContext();
  const store = useStoreApi();
  const origin = useRef<{ sight: Sight; view: Viewport } | null>(null);
  const shown = useRef(ui.left?.shown ?? -1);
  const restored = useCallback((): Viewport | null => {
    const { left } = ui;
    if (!left || left.isUntouched) return null;
    isUntouched.current = false;
    const { width, height } = store.getState();
    const { nodes } = drawing.current;
    const solid = nodes.flatMap((drawn) => (isFrame(drawn) ? [] : [drawn.box]));
    const view = keptView(
      left.sight,
      { width, height },
      solid,
      boxesAmong(drawing.current, ui.get().selection.nodes),
    );
    origin.current = { sight: left.sight, view };
    return view;
  }, [ui, store, drawing, isUntouched]);
  useLayoutEffect(
    () => () => {
      const { width, height, transform } = store.getState();
      if (width === 0) return;
      const [x, y, zoom] = transform;
      const from = origin.current;
      const isSame = from !== null && x === from.view.x && y === from.view.y && zoom === from.view.zoom;
      ui.left = {
        sight: isSame ? from.sight : { x, y, zoom, width, height },
        isUntouched: isUntouched.current,
        shown: shown.current,
      };
    },
    [ui, store, isUntouched],
  );
  return { shown, restored };
}

/** The canvas in the window, in CSS pixels. */
interface Room {
  width: number;
  height: number;
  top: number;
}

/** Whether a notice above the canvas has come or gone, and not the window become another. */
const isLowered = (before: Room, now: Room): boolean => before.top !== now.top && before.width === now.width;

/**
 * Fits all when the drawing is first seen, unless the canvas before was moved, and when the size changes, until somebody
 * moves this one; from then on what is in the middle stays there. Where a notice comes or goes above it, everything stays where it is in the window, so that
 * nothing moves under somebody's pointer.
 *
 * What is put on an empty canvas stays where it was put, as long as all of it is in sight.
 */
function useRefit(
  drawing: Drawing,
  isKnown: boolean,
  begin: () => void,
  refit: () => void,
  isUntouched: RefObject<boolean>,
  isAllInView: () => boolean,
  keep: (before: Room, now: Room) => void,
): void {
  const store = useStoreApi();
  const size = useStore(({ width, height }) => (width > 0 ? `${width} ${height}` : ''));
  const hasNodes = drawing.nodes.length > 0;
  const seen = useRef<(Room & { size: string }) | null>(null);
  const wasEmpty = useRef(false);
  useLayoutEffect(() => {
    if (size === '') return;
    if (!hasNodes) {
      wasEmpty.current = isKnown;
      return;
    }
    if (wasEmpty.current && isAllInView()) isUntouched.current = false;
    wasEmpty.current = false;
    const { domNode, width, height } = store.getState();
    const before = seen.current;
    if (before?.size === size) return;
    const now = { width, height, top: domNode?.getBoundingClientRect().top ?? 0, size };
    seen.current = now;
    if (!before) {
      if (isUntouched.current) begin();
      return;
    }
    if (!isUntouched.current || isLowered(before, now)) keep(before, now);
    if (isUntouched.current && !(isLowered(before, now) && isAllInView())) refit();
  }, [size, hasNodes, isKnown, begin, refit, isUntouched, isAllInView, keep, store]);
}

/** Shows requested nodes; does nothing where they are visible. */
function useReveal(
  drawing: RefObject<Drawing>,
  isUntouched: RefObject<boolean>,
  done: RefObject<number>,
  frame: () => CanvasArea | null,
  go: (view: Viewport, isGentle: boolean) => void,
): void {
  const flow = useReactFlow();
  const request = useUiState((state) => state.reveal);
  const room = useStore(({ width }) => width > 0);
  const hasNodes = drawing.current.nodes.length > 0;
  useLayoutEffect(() => {
    const sight = frame();
    if (!request || !sight || !room || !hasNodes || done.current === request.at) return;
    const isFirst = done.current < 0 && request.at === 0;
    done.current = request.at;
    const wanted = boxesAmong(drawing.current, request.ids);
    const around = boxAround(wanted);
    if (!around) return;
    if (!isFirst && flow.getZoom() >= 0.4 && isInView(around, flow.getViewport(), sight)) return;
    isUntouched.current = false;
    const zoom = Math.max(flow.getZoom(), LEGIBLE);
    go(viewportFor(wanted, wanted, sight, { minZoom: 0.1, maxZoom: Math.min(zoom, 1.1) }), !isFirst);
  }, [request, room, hasNodes, drawing, done, frame, go, flow, isUntouched]);
  usePulse(request);
}

/** Highlights the nodes once. */
function usePulse(request: { ids: readonly string[]; at: number; pulse: boolean } | null): void {
  useEffect(() => {
    if (!request?.pulse) return;
    // The class is set on the element directly: nothing has to be rendered.
    const timer = setTimeout(() => {
      for (const id of request.ids) {
        const element = document.querySelector(`.react-flow__node[data-id="${CSS.escape(id)}"] > div`);
        element?.classList.add('pulse');
        element?.addEventListener('animationend', () => element.classList.remove('pulse'), { once: true });
      }
    }, 60);
    return () => clearTimeout(timer);
  }, [request]);
}

function boxesAmong({ nodes }: Drawing, ids: Iterable<string>): Box[] {
  const wanted = new Set(ids);
  return nodes.filter(({ node }) => wanted.has(node.id)).map(({ box }) => box);
}
