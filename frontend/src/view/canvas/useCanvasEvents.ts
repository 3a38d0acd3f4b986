/** Events of the canvas besides presses: double clicks, context menus, keys on a node, drops from outside. */
import type { DragEvent, FocusEvent, KeyboardEvent, MouseEvent } from 'react';
import { groupAt } from '../../model/gestures/drop';
import { counted } from '../../model/words/kinds';
import { IDLE } from './canvasState';
import type { PointerContext } from './pointer/pointerContext';
import { openMenuOf, pressedAt } from './pointer/usePointer';

/** The type that the palette sets on a drag. */
const DRAGGED_TYPE = 'application/x-draftsmith-type';

export function useCanvasEvents(pointer: PointerContext) {
  const { context, gestures, store } = pointer;
  const at = (event: MouseEvent | DragEvent) => ({ x: event.clientX, y: event.clientY });
  return {
    onDoubleClick(event: MouseEvent) {
      const pressed = pressedAt(event.target);
      if (!context.access.isWritable || !pressed || context.ui.get().tool.kind !== 'select') return;
      if (pressed.kind !== 'node' && pressed.kind !== 'edge') return;
      if (isLocked(pointer, pressed)) pointer.say('Locked');
      else context.ui.set({ renaming: { kind: pressed.kind, id: pressed.id } });
    },
    onContextMenu(event: MouseEvent) {
      const pressed = pressedAt(event.target);
      if (pressed && openMenuOf(pointer, pressed, at(event))) event.preventDefault();
    },
    onKeyDown(event: KeyboardEvent) {
      const id = focusedNode(event.target);
      if (
        event.key !== 'Enter' ||
        id === null ||
        event.target !== event.currentTarget.querySelector(':focus')
      )
        return;
      const { nodes } = context.ui.get().selection;
      // The first press selects; on a selected node the command runs.
      if (nodes.has(id) && nodes.size === 1) return;
      event.preventDefault();
      event.stopPropagation();
      context.ui.select([id]);
      pointer.say(`Selected, ${counted(1, 'node')}`);
    },
    onFocusCapture(event: FocusEvent) {
      const id = focusedNode(event.target);
      if (id !== null && store.getState().active !== id) store.setState({ active: id });
    },
    onDragOver(event: DragEvent) {
      if (!context.access.isWritable || !event.dataTransfer.types.includes(DRAGGED_TYPE)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      const dropInto = groupAt(pointer.drawing(), pointer.toDiagram(at(event)));
      if (store.getState().dropInto !== dropInto) store.setState({ dropInto });
    },
    onDragLeave() {
      store.setState(IDLE);
    },
    onDrop(event: DragEvent) {
      const type = event.dataTransfer.getData(DRAGGED_TYPE);
      store.setState(IDLE);
      if (!type || !context.access.isWritable) return;
      event.preventDefault();
      gestures.place(type, pointer.toDiagram(at(event)));
    },
  };
}

function focusedNode(target: EventTarget): string | null {
  const isNode = target instanceof HTMLElement && target.classList.contains('react-flow__node');
  return isNode ? (target.dataset.id ?? null) : null;
}

function isLocked({ context }: PointerContext, { kind, id }: { kind: string; id: string }): boolean {
  const { view } = context.client;
  if (kind === 'node') return view.lockOn(id) !== null;
  const edge = view.edges.get(id);
  return !edge || view.lockOn(edge.source) !== null || view.lockOn(edge.target) !== null;
}
