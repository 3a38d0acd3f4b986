/** The context menu from the keyboard. Loaded when needed, as the menu itself is. */
import type { EditorContext } from '../context/EditorContext';
import { sceneOf } from './actions';
import { overlayOf } from './overlay';

/** Opens it for the selection, or for the canvas where nothing is selected. */
export function openMenuHere(context: EditorContext): void {
  const { selection } = context.ui.get();
  const overlay = overlayOf(context.ui);
  const sight = overlay.sight?.();
  if (!sight || !overlay.toScreen) return;
  const [node] = selection.nodes;
  const [edge] = selection.edges;
  const middle = { x: sight.x + sight.width / 2, y: sight.y + sight.height / 2 };
  const box = node === undefined ? undefined : sceneOf(context).boxOf(node);
  const at = box ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : middle;
  const target =
    node !== undefined
      ? ({ kind: 'node', id: node } as const)
      : edge !== undefined
        ? ({ kind: 'edge', id: edge } as const)
        : ({ kind: 'canvas' } as const);
  overlay.open.setState({ open: { kind: 'menu', target, at, screen: overlay.toScreen(at) } });
}
