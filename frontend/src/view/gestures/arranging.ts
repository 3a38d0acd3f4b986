/** Dissolving groups, taking out of groups, locking: what the keys and menus of the canvas do with a selection. Loaded when needed. */

import { isRefusal, type Refusal } from '../../model/gestures/connect';
import { movedInto } from '../../model/gestures/landing';
import { lockChange } from '../../model/gestures/locks';
import { moveTo, ungroup } from '../../model/gestures/ungroup';
import type { Operation } from '../../protocol/live';
import type { Point } from '../../protocol/types';
import type { EditorContext } from '../context/EditorContext';
import type { Toasts } from '../ui/overlay/Toasts';
import { sceneOf } from './actions';

/** Applies a change of the selection, or shows why it cannot be done. Returns whether it was applied. */
function change(context: EditorContext, toasts: Toasts, answer: Operation[] | Refusal): boolean {
  if (isRefusal(answer)) toasts.show({ text: answer.refusal, detail: answer.advice });
  else void context.edit(answer);
  return !isRefusal(answer);
}

const selected = ({ ui }: EditorContext): ReadonlySet<string> => ui.get().selection.nodes;

export function ungroupSelected(context: EditorContext, toasts: Toasts): void {
  const answer = ungroup(sceneOf(context), selected(context));
  change(context, toasts, isRefusal(answer) ? answer : answer.operations);
  if (!isRefusal(answer)) context.ui.select(answer.ids);
}

export function moveOut(context: EditorContext, toasts: Toasts): void {
  change(context, toasts, moveTo(sceneOf(context), selected(context), null));
}

export function changeLocks(context: EditorContext, toasts: Toasts): void {
  change(context, toasts, lockChange(sceneOf(context), selected(context)));
}

export { previewLandings } from '../../model/gestures/landing';

/** Moves nodes that were dropped on a group into it. Returns whether it was done. */
export function dropInto(
  context: EditorContext,
  toasts: Toasts,
  ids: readonly string[],
  by: Point,
  group: string,
): boolean {
  return change(context, toasts, movedInto(sceneOf(context), ids, by, group));
}
