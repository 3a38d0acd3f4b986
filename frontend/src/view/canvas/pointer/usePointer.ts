/** Starts the gesture of a press on the canvas, by tool and target. */
import { type PointerEvent as ReactPointerEvent, useEffect, useRef } from 'react';
import { isFrame } from '../../../model/drawing/drawing';
import type { Handle } from '../../../model/gestures/move';
import { isAtBorder } from '../../../model/gestures/zones';
import type { Point } from '../../../protocol/types';
import { useUiState } from '../../context/EditorContext';
import type { Target } from '../../gestures/overlay';
import { IDLE } from '../canvasState';
import { connectionDrag, type Drag, marqueeDrag, nodeDrag, resizeDrag } from './drags';
import { follow } from './follow';
import { connectableAt, type PointerContext } from './pointerContext';

/** Elements that handle pointer events themselves: fields, buttons and overlays. */
const OWN = 'input, textarea, button, a, [role=menu], .react-flow__panel, .react-flow__minimap';

export type Pressed =
  | { kind: 'node' | 'edge'; id: string }
  | { kind: 'dot'; id: string }
  | { kind: 'pull'; id: string; handle: Handle }
  | { kind: 'canvas' };

/** The target of a pointer event; null for elements outside the diagram. */
export function pressedAt(target: EventTarget | null): Pressed | null {
  if (!(target instanceof Element) || target.closest(OWN)) return null;
  const node = target.closest<HTMLElement>('.react-flow__node');
  const id = node?.dataset.id;
  if (id !== undefined) {
    if (target.closest('.connect-dot')) return { kind: 'dot', id };
    const handle = target.closest<HTMLElement>('[data-handle]')?.dataset.handle;
    return handle ? { kind: 'pull', id, handle: handle as Handle } : { kind: 'node', id };
  }
  const label = target.closest<HTMLElement>('.edge-label')?.dataset.edge;
  const edge = label ?? target.closest('.react-flow__edge')?.getAttribute('data-id');
  if (edge) return { kind: 'edge', id: edge };
  return target.closest('.react-flow__pane, .react-flow__renderer') ? { kind: 'canvas' } : null;
}

/** @param isPanning the pointer pans the canvas: nothing is dragged, only clicked */
export function usePointer(pointer: PointerContext, isPanning: boolean): (event: ReactPointerEvent) => void {
  const newest = useRef(pointer);
  newest.current = pointer;
  useLineToPointer(newest);
  return (event) => {
    if (event.button !== 0 || !event.isPrimary) return;
    const pressed = pressedAt(event.target);
    if (pressed) press(newest.current, pressed, event.nativeEvent, isPanning);
  };
}

function press(pointer: PointerContext, pressed: Pressed, event: PointerEvent, isPanning: boolean): void {
  const { context } = pointer;
  const { tool, selection } = context.ui.get();
  const start = { x: event.clientX, y: event.clientY };
  const from = pointer.toDiagram(start);
  if (context.access.isWritable && tool.kind === 'place') {
    follow(event, {
      onClick: () => {
        context.ui.set({ tool: { kind: 'select' } });
        pointer.gestures.place(tool.type, from);
      },
    });
    return;
  }
  if (context.access.isWritable && tool.kind === 'connect' && pressed.kind !== 'canvas') {
    connectByClicks(pointer, tool.from, pressed, from, event);
    return;
  }
  const wasSelected = pressed.kind === 'node' && selection.nodes.has(pressed.id);
  // What is pressed is what will be dragged.
  const select = () => {
    if (pressed.kind === 'node' && !wasSelected && !isPanning)
      context.ui.select(event.shiftKey ? [...selection.nodes, pressed.id] : [pressed.id]);
  };
  // A finger may be the first of two.
  const isFinger = event.pointerType === 'touch';
  if (!isFinger) select();
  let drag: Drag | null = null;
  follow(event, {
    onStart: () => {
      if (isFinger) select();
      drag = dragFor(pointer, pressed, from, event, isPanning);
    },
    onMove: (moved) => drag?.move(moved),
    onEnd: () => drag?.end(),
    onCancel: () => drag?.cancel(),
    onHold: () => openMenuOf(pointer, pressed, start),
    onClick: () => click(pointer, pressed, event.shiftKey, wasSelected),
    // A border follows the pointer, wherever that is: the canvas stays.
    ...(pressed.kind !== 'pull' && {
      scroll: { room: pointer.room, by: (delta: Point) => drag && pointer.scrollBy(delta) },
    }),
  });
}

function dragFor(
  pointer: PointerContext,
  pressed: Pressed,
  from: Point,
  event: PointerEvent,
  isPanning: boolean,
): Drag | null {
  const { context } = pointer;
  const { nodes } = context.ui.get().selection;
  if (!context.access.isWritable || isPanning) return null;
  if (pressed.kind === 'dot') return connectionDrag(pointer, pressed.id);
  if (pressed.kind === 'pull') return resizeDrag(pointer, pressed.id, pressed.handle, from);
  // Shift draws a marquee over a group, too.
  const isOnFrame = event.target instanceof Element && event.target.closest('.group-frame') !== null;
  if (pressed.kind === 'node' && !event.shiftKey && isOnBorder(pointer, pressed.id, from))
    return connectionDrag(pointer, pressed.id);
  if (pressed.kind === 'node' && !(event.shiftKey && isOnFrame))
    return nodeDrag(pointer, nodes, pressed.id, from);
  if (pressed.kind === 'edge') return null;
  return marqueeDrag(pointer, from, event.shiftKey ? nodes : new Set());
}

/** Opens the menu of what is pressed there, for who may edit. Returns whether it did. */
export function openMenuOf(pointer: PointerContext, pressed: Pressed, screen: Point): boolean {
  if (!pointer.context.access.isWritable) return false;
  const target: Target =
    pressed.kind === 'canvas'
      ? { kind: 'canvas' }
      : { kind: pressed.kind === 'edge' ? 'edge' : 'node', id: pressed.id };
  pointer.gestures.openMenu(target, pointer.toDiagram(screen), screen);
  return true;
}

/** Whether a drag from there draws a line: at the border of a card. */
function isOnBorder(pointer: PointerContext, id: string, point: Point): boolean {
  const drawn = pointer.drawing().nodes.find(({ node }) => node.id === id);
  return drawn !== undefined && !isFrame(drawn) && isAtBorder(drawn.box, point, pointer.zoom());
}

function click(pointer: PointerContext, pressed: Pressed, isShift: boolean, wasSelected: boolean): void {
  const { ui } = pointer.context;
  const { nodes, edges } = ui.get().selection;
  if (pressed.kind === 'dot') ui.set({ tool: { kind: 'connect', from: pressed.id } });
  else if (pressed.kind === 'canvas') isShift || ui.deselect();
  else if (pressed.kind === 'edge')
    ui.select(isShift ? nodes : [], isShift ? toggled(edges, pressed.id) : [pressed.id]);
  else if (pressed.kind === 'node' && isShift && wasSelected) ui.select(toggled(nodes, pressed.id), edges);
  else if (pressed.kind === 'node' && isShift) ui.select([...nodes, pressed.id], edges);
  else if (pressed.kind === 'node') ui.select([pressed.id]);
}

function toggled(ids: ReadonlySet<string>, id: string): Set<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** Connects by one click on each end, or by a drag. */
function connectByClicks(
  pointer: PointerContext,
  source: string | null,
  pressed: Pressed,
  from: Point,
  event: PointerEvent,
): void {
  const id = connectableAt(pointer.drawing(), from) ?? (pressed.kind === 'node' ? pressed.id : null);
  if (id === null) return;
  const { ui } = pointer.context;
  const drag = connectionDrag(pointer, id);
  follow(event, {
    onMove: drag.move,
    onEnd: drag.end,
    onCancel: drag.cancel,
    onClick: () => {
      pointer.store.setState(IDLE);
      if (source === null || source === id) ui.set({ tool: { kind: 'connect', from: source ? null : id } });
      else {
        ui.set({ tool: { kind: 'connect', from: null } });
        pointer.gestures.connect(source, id);
      }
    },
    scroll: { room: pointer.room, by: pointer.scrollBy },
  });
}

/** While the connect tool waits for the second end, the edge follows the pointer. */
function useLineToPointer(pointer: { current: PointerContext }): void {
  const source = useUiState(({ tool }) => (tool.kind === 'connect' ? tool.from : null));
  useEffect(() => {
    if (source === null) return;
    const listen = (event: PointerEvent) => {
      const { store, toDiagram, drawing } = pointer.current;
      const to = toDiagram({ x: event.clientX, y: event.clientY });
      const target = connectableAt(drawing(), to);
      store.setState({ pull: { source, to, target: target === source ? null : target } });
    };
    window.addEventListener('pointermove', listen);
    return () => {
      window.removeEventListener('pointermove', listen);
      pointer.current.store.setState({ pull: null });
    };
  }, [source, pointer]);
}
