/**
 * Which titles of groups are shown above everything else where the nodes in them are too small to be named. Pure.
 *
 * A title stands on the frame if nothing is there, else in its corner. Outer groups come first: a title that would cover
 * another one, or would not fit its frame, is left out.
 */
import { type Box, boxesOverlap } from './boxes';
import { BoxIndex } from './boxIndex';
import { type Drawing, type DrawnNode, isFrame } from './drawing';

/** Of a title on the screen, in CSS pixels. */
const LETTER = 7.4;
const HEIGHT = 18;
const PADDING = 14;
/** A shorter piece of a title says nothing. */
const SHORTEST = 44;

export interface FrameTitle {
  drawn: DrawnNode;
  /** Where it stands: its top left corner and how wide it may be, in pixels of the diagram. */
  place: Box;
}

/** @param zoom pixels of the screen for one of the diagram */
export function frameTitles({ nodes }: Drawing, zoom: number): FrameTitle[] {
  const cards = new BoxIndex<string>();
  for (const drawn of nodes) if (!isFrame(drawn)) cards.add(drawn.box, drawn.node.id);
  const taken: Box[] = [];
  const visibleTitles: FrameTitle[] = [];
  for (const drawn of nodes.filter(isFrame).sort((one, other) => one.depth - other.depth)) {
    const wanted = drawn.node.label.length * LETTER + PADDING;
    const room = drawn.box.width * zoom;
    if (room < Math.min(wanted, SHORTEST)) continue;
    const [width, height] = [Math.min(wanted, room) / zoom, HEIGHT / zoom];
    const { x, y } = drawn.box;
    const inside: Box = { x, y, width, height };
    const isFree = (place: Box) => !taken.some((other) => boxesOverlap(other, place));
    const place = [{ ...inside, y: y - height }, inside].find(
      (one) => isFree(one) && cards.over(one).size === 0,
    );
    const best = place ?? (isFree(inside) ? inside : null);
    if (!best) continue;
    taken.push(best);
    visibleTitles.push({ drawn, place: best });
  }
  return visibleTitles;
}
