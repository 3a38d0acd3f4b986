/** What happens on the canvas besides presses: double clicks, menus, keys on a node, what is dragged in from outside. */
import type { DragEvent, FocusEvent, KeyboardEvent, MouseEvent } from 'react';
import { groupAt } from '../../model/gestures/drop';
import { counted } from '../../model/words/kinds';
import { IDLE } from './canvasState';
import type { Hand } from './hand/hand';
import { pressedAt } from './hand/usePointer';

/** As the palette names what is dragged from it. */
const DRAGGED_TYPE = 'application/x-draftsmith-type';

export function useCanvasEvents(hand: Hand) {
  const { desk, gestures, store } = hand;
  const at = (event: MouseEvent | DragEvent) => ({ x: event.clientX, y: event.clientY });
  return {
    onDoubleClick(event: MouseEvent) {
      const pressed = pressedAt(event.target);
      if (!desk.access.isWritable || !pressed || desk.ui.get().tool.kind !== 'select') return;
      if (pressed.kind !== 'node' && pressed.kind !== 'edge') return;
      if (isLocked(hand, pressed)) hand.say('Locked');
      else desk.ui.set({ renaming: { kind: pressed.kind, id: pressed.id } });
    },
    onContextMenu(event: MouseEvent) {
      const pressed = pressedAt(event.target);
      if (!pressed || !desk.access.isWritable) return;
      event.preventDefault();
      const screen = at(event);
      const target =
        pressed.kind === 'canvas'
          ? ({ kind: 'canvas' } as const)
          : ({ kind: pressed.kind === 'edge' ? 'edge' : 'node', id: pressed.id } as const);
      gestures.openMenu(target, hand.toDiagram(screen), screen);
    },
    onKeyDown(event: KeyboardEvent) {
      const id = focusedNode(event.target);
      if (
        event.key !== 'Enter' ||
        id === null ||
        event.target !== event.currentTarget.querySelector(':focus')
      )
        return;
      const { nodes } = desk.ui.get().selection;
      // The first press selects; on what is selected the command for it goes on.
      if (nodes.has(id) && nodes.size === 1) return;
      event.preventDefault();
      event.stopPropagation();
      desk.ui.select([id]);
      hand.say(`Selected, ${counted(1, 'node')}`);
    },
    onFocusCapture(event: FocusEvent) {
      const id = focusedNode(event.target);
      if (id !== null && store.getState().active !== id) store.setState({ active: id });
    },
    onDragOver(event: DragEvent) {
      if (!desk.access.isWritable || !event.dataTransfer.types.includes(DRAGGED_TYPE)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      const dropInto = groupAt(hand.drawing(), hand.toDiagram(at(event)));
      if (store.getState().dropInto !== dropInto) store.setState({ dropInto });
    },
    onDragLeave() {
      store.setState(IDLE);
    },
    onDrop(event: DragEvent) {
      const type = event.dataTransfer.getData(DRAGGED_TYPE);
      store.setState(IDLE);
      if (!type || !desk.access.isWritable) return;
      event.preventDefault();
      gestures.place(type, hand.toDiagram(at(event)));
    },
  };
}

function focusedNode(target: EventTarget): string | null {
  const isNode = target instanceof HTMLElement && target.classList.contains('react-flow__node');
  return isNode ? (target.dataset.id ?? null) : null;
}

function isLocked({ desk }: Hand, { kind, id }: { kind: string; id: string }): boolean {
  const { view } = desk.client;
  if (kind === 'node') return view.lockOn(id) !== null;
  const edge = view.edges.get(id);
  return !edge || view.lockOn(edge.source) !== null || view.lockOn(edge.target) !== null;
}
