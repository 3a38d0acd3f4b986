/** Pasting of copied nodes, and duplicating of selected ones, where there is room for them. Not here: other text (`pastedText.ts`). */
import { type Clip, clipOf } from '../../model/gestures/clip';
import { isRefusal, type Refusal } from '../../model/gestures/connect';
import {
  boundsOf,
  type CopiedClip,
  clipFrom,
  duplicate,
  type Pasted,
  paste,
  withoutImages,
} from '../../model/gestures/paste';
import { freePlace, onGrid } from '../../model/gestures/place';
import type { Scene } from '../../model/gestures/scene';
import { counted } from '../../model/words/kinds';
import type { Point } from '../../protocol/types';
import type { EditorContext } from '../context/EditorContext';
import type { Toasts } from '../ui/overlay/Toasts';
import { sceneOf } from './actions';
import { lastCopy } from './lastCopy';
import { overlayOf } from './overlay';

const OFFSET = 32;

/**
 * Pastes a copy, with its centre at a point, or else beside its origin; a copied group is never put into itself. Any other text
 * may be a flowchart or a file.
 */
export async function pasteText(
  context: EditorContext,
  toasts: Toasts,
  text: string,
  at: Point | null,
): Promise<void> {
  const copied = clipFrom(text);
  if (!copied) return void import('./pastedText').then(({ pasteOther }) => pasteOther(context, toasts, text));
  const clip = await withImagesHere(context, toasts, copied);
  if (text !== lastCopy.text) Object.assign(lastCopy, { text, times: 0 });
  const scene = sceneOf(context);
  const bounds = boundsOf(clip);
  const wanted = at ? toCentre(bounds, at) : besides(context, bounds);
  const below = scene.groupAt(centreOf(bounds, wanted));
  const isIntoItself = below !== null && clip.nodes.some(({ id }) => id === below);
  const by = isIntoItself ? besideGroup(scene, bounds) : freeOf(context, clip, wanted);
  const group = scene.groupAt(at && !isIntoItself ? at : centreOf(bounds, by));
  put(
    context,
    toasts,
    paste(scene, clip, by, () => group),
  );
}

/** A copy from another workspace without those of its images that this one cannot have, which is said. The others come along. */
async function withImagesHere(
  { id, access }: EditorContext,
  toasts: Toasts,
  clip: CopiedClip,
): Promise<Clip> {
  const addresses = clip.nodes.flatMap(({ image }) => image || []);
  if (clip.workspace === id || addresses.length === 0 || !access.isWritable) return clip;
  const { copyImages, sayRefused } = await import('../images/copiedImages');
  const { images, missing, problems } = await copyImages(clip.workspace, id, addresses);
  sayRefused(id, images, toasts);
  if (missing.size > 0)
    toasts.show({
      text: `Pasted without ${counted(missing.size, 'image')}`,
      detail: problems.join(' '),
      tone: 'bad',
    });
  return withoutImages(clip, missing);
}

export function duplicateSelection(context: EditorContext, toasts: Toasts): void {
  const scene = sceneOf(context);
  const { nodes } = context.ui.get().selection;
  const clip = clipOf(scene, nodes);
  const hasGroup = clip?.nodes.some(({ type }) => type === 'group') ?? false;
  const by = clip && hasGroup ? besideGroup(scene, boundsOf(clip)) : { x: OFFSET, y: OFFSET };
  const pasted = duplicate(scene, nodes, by);
  if (pasted) put(context, toasts, pasted);
}

function put(context: EditorContext, toasts: Toasts, pasted: Pasted | Refusal): void {
  if (isRefusal(pasted)) {
    toasts.show({ text: pasted.refusal, detail: pasted.advice });
    return;
  }
  const sent = context.edit(pasted.operations);
  const select = () => context.ui.select(pasted.ids.filter((id) => context.client.view.nodes.has(id)));
  select();
  // With definitions of types it is drawn once the server has them.
  if (pasted.operations[0]?.op === 'define_type') void sent.then(select);
}

interface Bounds extends Point {
  width: number;
  height: number;
}

const centreOf = ({ x, y, width, height }: Bounds, by: Point): Point => ({
  x: x + width / 2 + by.x,
  y: y + height / 2 + by.y,
});

/** The offset to the nearest place on the right of a group where its copy covers nothing. */
function besideGroup(scene: Scene, bounds: Bounds): Point {
  const beside = centreOf(bounds, { x: bounds.width + OFFSET, y: 0 });
  return toCentre(bounds, freePlace(scene, bounds, beside));
}

const toCentre = ({ x, y, width, height }: Bounds, at: Point): Point => ({
  x: onGrid(at.x - width / 2 - x),
  y: onGrid(at.y - height / 2 - y),
});

/** A growing offset for each paste; the middle of the visible area where the result would be out of view. */
function besides(context: EditorContext, bounds: Bounds): Point {
  lastCopy.times += 1;
  const by = { x: OFFSET * lastCopy.times, y: OFFSET * lastCopy.times };
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
