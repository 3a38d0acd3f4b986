/** Carries out gestures: each is one batch, then the result is selected and perhaps renamed. */
import { connect, connectToNew, isRefusal, type Refusal } from '../../model/gestures/connect';
import { isAddition } from '../../model/gestures/making';
import { freePlace, type Made, placeNode, sizeOf } from '../../model/gestures/place';
import { Scene } from '../../model/gestures/scene';
import type { Point } from '../../protocol/types';
import type { EditorContext } from '../context/EditorContext';
import type { Toasts } from '../ui/overlay/Toasts';
import { overlayOf } from './overlay';
import { typesByName } from './sendMade';

/** The current diagram, for one gesture. */
export const sceneOf = ({ live, ui }: EditorContext): Scene =>
  new Scene(live.state.getState().diagram, ui.get().collapsed);

/** Applies a gesture, or shows why it cannot be done. Returns whether it was applied. */
function applyGesture(context: EditorContext, toasts: Toasts, made: Made | Refusal): made is Made {
  if (isRefusal(made)) {
    toasts.show({ text: made.refusal, detail: made.advice });
    return false;
  }
  void context.edit(made.operations);
  return true;
}

/**
 * Applies a gesture; then selects the result, brings it into view with the nodes `beside` it, and edits its name, so
 * that typing replaces it. What only adds is applied with its name. Without write access a toast says why.
 */
export function addAndName(
  context: EditorContext,
  toasts: Toasts,
  made: Made | Refusal,
  beside: readonly string[] = [],
): void {
  if (!context.access.isWritable) return void context.edit([]);
  // What only adds waits for its name, so that both are one step.
  if (!isRefusal(made) && isAddition(made)) {
    if (made.isTypeGuessed) void typesByName.load().catch(() => undefined);
    context.ui.set({ making: made });
  } else if (!applyGesture(context, toasts, made) || !context.client.view.nodes.has(made.id)) return;
  context.ui.set({ tool: { kind: 'select' } });
  context.ui.select([made.id]);
  // From the keyboard it may be out of view: bring it into view, with the node it is connected to.
  context.ui.show([...beside, made.id], { isSelecting: false });
  context.ui.set({ renaming: { kind: 'node', id: made.id } });
}

/** Adds a node of a type with its centre at a point, in the innermost group there, as `addAndName`. */
export function place(context: EditorContext, toasts: Toasts, type: string, at: Point): void {
  addAndName(context, toasts, placeNode(sceneOf(context), type, at));
}

/** Places a node at a free place, as near to the middle of the visible area as possible. */
export function placeInView(context: EditorContext, toasts: Toasts, type: string): void {
  const sight = overlayOf(context.ui).sight?.() ?? { x: 0, y: 0, width: 0, height: 0 };
  const middle = { x: sight.x + sight.width / 2, y: sight.y + sight.height / 2 };
  place(context, toasts, type, freePlace(sceneOf(context), sizeOf(type), middle));
}

export function connectNodes(context: EditorContext, toasts: Toasts, source: string, target: string): void {
  const made = connect(sceneOf(context), source, target);
  if (!applyGesture(context, toasts, made)) return;
  context.ui.select([], [made.id]);
  // One who connects many things by clicks is not stopped at each.
  if (context.ui.get().tool.kind === 'select') context.ui.set({ renaming: { kind: 'edge', id: made.id } });
}

export function connectNew(
  context: EditorContext,
  toasts: Toasts,
  source: string,
  type: string,
  at: Point,
): void {
  addAndName(context, toasts, connectToNew(sceneOf(context), source, type, at), [source]);
}
