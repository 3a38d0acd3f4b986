/** What every pointer gesture on the canvas needs, and what several of them do with it. */

import { useReactFlow, useStoreApi } from '@xyflow/react';
import { useMemo, useRef } from 'react';
import { type Box, holds } from '../../../model/drawing/boxes';
import { type Drawing, isFrame, titleOf } from '../../../model/drawing/drawing';
import { movedDrawing } from '../../../model/drawing/incremental';
import type { Point } from '../../../protocol/types';
import { type EditorContext, useEditorContext } from '../../context/EditorContext';
import { textWidth } from '../../drawing/textWidth';
import { type Gestures, useGestures } from '../../gestures/useGestures';
import type { CanvasState, CanvasStore } from '../canvasState';

export interface PointerContext {
  context: EditorContext;
  gestures: Gestures;
  store: CanvasStore;
  /** The drawing without a drag. */
  drawing: () => Drawing;
  /** From window pixels to the diagram. */
  toDiagram: (screen: Point) => Point;
  zoom: () => number;
  /** The canvas in the window. */
  room: () => DOMRect;
  scrollBy: (delta: Point) => void;
  say: (words: string) => void;
}

/** So long the place of the canvas is cached, because reading it forces a layout of the page. */
const ROOM_KNOWN_MS = 400;

/** Makes the pointer context of this canvas. */
export function usePointerContext(store: CanvasStore, drawing: Drawing): PointerContext {
  const context = useEditorContext();
  const gestures = useGestures();
  const flow = useReactFlow();
  const library = useStoreApi();
  const newest = useRef(drawing);
  newest.current = drawing;
  return useMemo<PointerContext>(() => {
    let known: { rect: DOMRect; at: number } | null = null;
    const room = () => {
      const now = performance.now();
      if (!known || now - known.at > ROOM_KNOWN_MS) {
        known = { rect: (library.getState().domNode as HTMLElement).getBoundingClientRect(), at: now };
      }
      return known.rect;
    };
    return {
      context,
      gestures,
      store,
      drawing: () => newest.current,
      toDiagram: ({ x, y }) => {
        const { left, top } = room();
        const [dx, dy, zoom] = library.getState().transform;
        return { x: (x - left - dx) / zoom, y: (y - top - dy) / zoom };
      },
      zoom: () => flow.getZoom(),
      room,
      scrollBy: (delta) => void library.getState().panBy(delta),
      say: (spoken) => store.setState({ spoken }),
    };
  }, [context, gestures, flow, library, store]);
}

/** The node that an edge can end at: a card, or the title of a group. */
export function connectableAt({ nodes }: Drawing, point: Point): string | null {
  let found: string | null = null;
  for (const drawn of nodes) {
    const body = isFrame(drawn) ? titleOf(drawn.box, drawn.node.label) : drawn.box;
    if (holds(body, point)) found = drawn.node.id;
  }
  return found;
}

/** Shows some boxes moved, with their edges. */
export function showMoved(
  { store, drawing }: PointerContext,
  moves: ReadonlyMap<string, Point | Box>,
  more: Partial<CanvasState> = {},
): void {
  const before = drawing();
  const moving = movedDrawing(before, moves, textWidth, store.getState().moving);
  const unmoved = new Set(before.edges);
  const changed = moving.edges.filter((drawn) => !unmoved.has(drawn));
  store.setState({ moving, movingLines: new Map(changed.map((drawn) => [drawn.edge.id, drawn])), ...more });
}

/** The visible part of the diagram. */
export function visibleBox(pointer: PointerContext): Box {
  const { left, top, right, bottom } = pointer.room();
  const [a, b] = [pointer.toDiagram({ x: left, y: top }), pointer.toDiagram({ x: right, y: bottom })];
  return { x: a.x, y: a.y, width: b.x - a.x, height: b.y - a.y };
}
