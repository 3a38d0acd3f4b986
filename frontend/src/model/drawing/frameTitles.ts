/**
 * Where the titles of groups stand, above everything else, where those in the frames are too small to be read. Pure.
 *
 * A title stands in the strip that its frame keeps for it, or on the frame, wherever it lies on no card and no other title.
 * It may reach out of a narrow frame, so that its first characters can be read. Outer groups come first: a title for which
 * there is only a place on another one, or whose frame is tiny, is left out.
 */
import { type Box, boxesOverlap, GROUP_TITLE } from './boxes';
import { BoxIndex } from './boxIndex';
import { type Drawing, type DrawnNode, isFrame } from './drawing';
import { estimatedLetterWidth, FIRST, type LetterWidth } from './legible';

/** Of a title on the screen, in CSS pixels; as `.frame-title` in `styles/canvas.css`. */
const LETTERS = { size: 11.5, weight: 620 };
const HEIGHT = 18;
const PADDING = 14;
/** Of the strip of a frame, beside and above its title, in pixels of the screen. */
const INDENT = 5;
/** A shorter piece of a title says nothing. */
const SHORTEST = 44;

export interface FrameTitle {
  drawn: DrawnNode;
  /** Where it stands: its top left corner and how wide it may be, in pixels of the diagram. */
  place: Box;
}

/** @param zoom pixels of the screen for one of the diagram */
export function frameTitles(
  { nodes }: Drawing,
  zoom: number,
  letterWidth: LetterWidth = estimatedLetterWidth,
): FrameTitle[] {
  const widthOf = (text: string): number => {
    const shares = [...text].map((letter) => letterWidth(letter, LETTERS.weight));
    return shares.reduce((sum, share) => sum + share, 0) * LETTERS.size + PADDING;
  };
  const cards = new BoxIndex<string>();
  for (const drawn of nodes) if (!isFrame(drawn)) cards.add(drawn.box, drawn.node.id);
  const taken: Box[] = [];
  const visibleTitles: FrameTitle[] = [];
  for (const drawn of nodes.filter(isFrame).sort((one, other) => one.depth - other.depth)) {
    const { label } = drawn.node;
    const wanted = widthOf(label);
    const room = drawn.box.width * zoom;
    if (room < Math.min(wanted, SHORTEST)) continue;
    const legible = Math.min(wanted, widthOf(`${label.slice(0, FIRST)}…`));
    const isFree = (place: Box) => !taken.some((other) => boxesOverlap(other, place));
    const isClear = (place: Box) => isFree(place) && cards.over(place).size === 0;
    const choices = [Math.max(room - 2 * INDENT, legible), room].map((width) =>
      placesOf(drawn.box, Math.min(wanted, width) / zoom, zoom),
    );
    const best =
      choices.flat().find(isClear) ??
      choices.flatMap((places) => places.slice(-1)).find(isFree) ??
      choices.flat().find(isFree);
    if (!best) continue;
    taken.push(best);
    visibleTitles.push({ drawn, place: best });
  }
  return visibleTitles;
}

/** Where a title of that width may stand: in the corner, which is in the strip where that is high enough, or on the frame. */
function placesOf({ x, y }: Box, width: number, zoom: number): Box[] {
  const height = HEIGHT / zoom;
  const corner = { x, y, width, height };
  const isHigh = GROUP_TITLE >= height;
  const inside = isHigh ? { ...corner, x: x + INDENT / zoom, y: y + (GROUP_TITLE - height) / 2 } : corner;
  const above = { ...corner, y: y - height };
  return isHigh ? [inside, above] : [above, { ...corner, y: y - height / 2 }, inside];
}
