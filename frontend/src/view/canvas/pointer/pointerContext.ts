/** What every pointer gesture on the canvas needs. */
import { type Box, holds } from '../../../model/drawing/boxes';
import { type Drawing, isFrame, titleOf } from '../../../model/drawing/drawing';
import { movedDrawing } from '../../../model/drawing/incremental';
import type { Point } from '../../../protocol/types';
import type { EditorContext } from '../../context/EditorContext';
import { textWidth } from '../../drawing/textWidth';
import type { Gestures } from '../../gestures/useGestures';
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
