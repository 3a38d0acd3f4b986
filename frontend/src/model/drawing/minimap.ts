/** Whether the minimap is in the way. Pure; apart from `legend.ts`, since the first view can do without it. */
import type { Size } from '../../protocol/types';
import { type Box, boxAround } from './boxes';
import type { Drawing } from './drawing';
import { hasUnder } from './legend';
import { isInView, type Viewport } from './viewport';

/** Whether a map in that place hides a part of a drawing of which all is in sight: it says nothing new then. */
export function isMapInTheWay(drawing: Drawing, view: Viewport, canvas: Size, map: Box): boolean {
  const whole = boxAround(drawing.nodes.map(({ box }) => box));
  return whole !== null && isInView(whole, view, { ...canvas, controls: [] }) && hasUnder(drawing, view, map);
}
