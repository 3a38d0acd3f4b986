/**
 * Copy and paste of the selection, as text on the system clipboard, so that it works between workspaces and windows;
 * and in memory, for browsers that do not allow reading the clipboard.
 */
import {
  boundsOf,
  type Clip,
  clipFrom,
  clipOf,
  duplicate,
  type Pasted,
  paste,
  textOf,
} from '../../model/gestures/clip';
import { isRefusal, type Refusal } from '../../model/gestures/connect';
import { deletionOf } from '../../model/gestures/deletion';
import { onGrid } from '../../model/gestures/place';
import type { Point } from '../../protocol/types';
import type { EditorContext } from '../context/EditorContext';
import type { Toasts } from '../ui/Toasts';
import { sceneOf } from './actions';
import { overlayOf } from './overlay';

const OFFSET = 32;

/** The last copy of this page, and how often it was pasted since. */
const kept = { text: '', times: 0 };

/** The selection as text; null where no node is selected, which a toast says. */
export function copySelection(context: EditorContext, toasts: Toasts): string | null {
  const clip = clipOf(sceneOf(context), context.ui.get().selection.nodes);
  if (!clip) {
    toasts.show({
      text: 'Nothing was copied',
      detail: 'Select nodes; connections between them are copied along.',
    });
    return null;
  }
  kept.text = textOf(clip);
  kept.times = 0;
  return kept.text;
}

/** Copies, then deletes, contents of groups included. */
export function cutSelection(context: EditorContext, toasts: Toasts): string | null {
  const { nodes, edges } = context.ui.get().selection;
  const operations = deletionOf(sceneOf(context), nodes, edges, 'delete');
  if (!context.access.isWritable || isRefusal(operations)) {
    if (isRefusal(operations)) toasts.show({ text: operations.refusal, detail: operations.advice });
    return null;
  }
  const text = copySelection(context, toasts);
  if (text !== null) void context.edit(operations);
  return text;
}

/** Writes to the system clipboard without a clipboard event. */
export function writeClipboard(text: string | null): void {
  // Without a secure context there is no clipboard; the copy in memory still works here.
  if (text !== null) void navigator.clipboard?.writeText(text).catch(() => undefined);
}

/** The system clipboard, or the copy in memory where it may not be read. */
export async function readClipboard(): Promise<string> {
  try {
    return (await navigator.clipboard.readText()) || kept.text;
  } catch {
    return kept.text;
  }
}

/** Pastes a text, with its centre at a point, or else beside its origin. */
export function pasteText(context: EditorContext, toasts: Toasts, text: string, at: Point | null): void {
  const clip = clipFrom(text);
  if (!clip) {
    const detail = text.trim()
      ? 'The clipboard holds text that is no part of a diagram.'
      : 'The clipboard is empty. Copy nodes first.';
    toasts.show({ text: 'Nothing was pasted', detail });
    return;
  }
  if (text !== kept.text) Object.assign(kept, { text, times: 0 });
  const scene = sceneOf(context);
  const bounds = boundsOf(clip);
  const by = freeOf(context, clip, at ? toCentre(bounds, at) : besides(context, bounds));
  const centre = { x: bounds.x + bounds.width / 2 + by.x, y: bounds.y + bounds.height / 2 + by.y };
  const group = scene.groupAt(at ?? centre);
  put(
    context,
    toasts,
    paste(scene, clip, by, () => group),
  );
}

export function duplicateSelection(context: EditorContext, toasts: Toasts): void {
  const pasted = duplicate(sceneOf(context), context.ui.get().selection.nodes, { x: OFFSET, y: OFFSET });
  if (pasted) put(context, toasts, pasted);
}

function put(context: EditorContext, toasts: Toasts, pasted: Pasted | Refusal): void {
  if (isRefusal(pasted)) {
    toasts.show({ text: pasted.refusal, detail: pasted.advice });
    return;
  }
  void context.edit(pasted.operations);
  context.ui.select(pasted.ids.filter((id) => context.client.view.nodes.has(id)));
}

interface Bounds extends Point {
  width: number;
  height: number;
}

const toCentre = ({ x, y, width, height }: Bounds, at: Point): Point => ({
  x: onGrid(at.x - width / 2 - x),
  y: onGrid(at.y - height / 2 - y),
});

/** A growing offset for each paste; the middle of the visible area where the result would be out of view. */
function besides(context: EditorContext, bounds: Bounds): Point {
  kept.times += 1;
  const by = { x: OFFSET * kept.times, y: OFFSET * kept.times };
  const sight = overlayOf(context.ui).sight?.();
  const [x, y] = [bounds.x + by.x, bounds.y + by.y];
  const isInView =
    !sight || (x >= sight.x && y >= sight.y && x <= sight.x + sight.width && y <= sight.y + sight.height);
  return isInView ? by : toCentre(bounds, { x: sight.x + sight.width / 2, y: sight.y + sight.height / 2 });
}

/** Adds to the offset while a node would exactly cover another. */
function freeOf(context: EditorContext, clip: Clip, by: Point): Point {
  const scene = sceneOf(context);
  const corners = new Set(scene.diagram.nodes.map(({ id }) => cornerOf(scene.boxOf(id) as Bounds)));
  const tops = clip.nodes.filter(({ parent }) => parent === null);
  let at = by;
  while (tops.some(({ position: { x, y } }) => corners.has(cornerOf({ x: x + at.x, y: y + at.y }))))
    at = { x: at.x + OFFSET, y: at.y + OFFSET };
  return at;
}

const cornerOf = ({ x, y }: Point): string => `${Math.round(x)} ${Math.round(y)}`;
