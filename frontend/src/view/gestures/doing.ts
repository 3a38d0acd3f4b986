/** Gestures as they are done on a desk: each one batch, then what it made is selected and perhaps named. */
import { connect, connectToNew, isRefusal, type Refusal } from '../../model/gestures/connect';
import { freePlace, type Made, placeNode, sizeOf } from '../../model/gestures/place';
import { Scene } from '../../model/gestures/scene';
import type { Point } from '../../protocol/types';
import type { Desk } from '../desk/Desk';
import type { Toasts } from '../ui/Toasts';
import { overlayOf } from './overlay';

/** The diagram as it is at this moment, for one gesture. */
export const sceneOf = ({ live, ui }: Desk): Scene =>
  new Scene(live.state.getState().diagram, ui.get().collapsed);

/** Do what was made, or say why it cannot be; whether it was done. */
export function carryOut(desk: Desk, toasts: Toasts, made: Made | Refusal): made is Made {
  if (isRefusal(made)) {
    toasts.show({ text: made.refusal, detail: made.advice });
    return false;
  }
  void desk.edit(made.operations);
  return true;
}

/** Add what was made; then it is selected and its name is being written, so that typing replaces it. */
export function addAndName(
  desk: Desk,
  toasts: Toasts,
  made: Made | Refusal,
  beside: readonly string[] = [],
): void {
  if (!desk.access.isWritable) return void desk.edit([]);
  if (!carryOut(desk, toasts, made)) return;
  if (!desk.client.view.nodes.has(made.id)) return;
  desk.ui.set({ tool: { kind: 'select' } });
  desk.ui.select([made.id]);
  // By keys it may come to stand where nobody sees it: what is named is in sight, beside what it is connected with.
  desk.ui.show([...beside, made.id], { isSelecting: false });
  desk.ui.set({ renaming: { kind: 'node', id: made.id } });
}

export function place(desk: Desk, toasts: Toasts, type: string, at: Point): void {
  addAndName(desk, toasts, placeNode(sceneOf(desk), type, at));
}

/** Place a node where there is room, as near to the middle of what is in sight as can be. */
export function placeInSight(desk: Desk, toasts: Toasts, type: string): void {
  const sight = overlayOf(desk.ui).sight?.() ?? { x: 0, y: 0, width: 0, height: 0 };
  const middle = { x: sight.x + sight.width / 2, y: sight.y + sight.height / 2 };
  place(desk, toasts, type, freePlace(sceneOf(desk), sizeOf(type), middle));
}

export function connectNodes(desk: Desk, toasts: Toasts, source: string, target: string): void {
  const made = connect(sceneOf(desk), source, target);
  if (carryOut(desk, toasts, made)) desk.ui.select([], [made.id]);
}

export function connectNew(desk: Desk, toasts: Toasts, source: string, type: string, at: Point): void {
  addAndName(desk, toasts, connectToNew(sceneOf(desk), source, type, at), [source]);
}
