/**
 * Where the titles of groups stand, above everything else, where those in the frames are too small to be read. Pure.
 *
 * A title stands in the strip that its frame keeps for it, or on the frame, wherever it lies on no card and no other title;
 * of these places, where it hides the fewest arrow heads, then the fewest lines. It may reach out of a narrow frame, so that its first characters can be read. Outer groups come first: a title for which
 * there is only a place on another one, or whose frame is tiny, is left out.
 */
import { type Box, boxBetween, boxesOverlap, GROUP_TITLE, inflated } from './boxes';
import { BoxIndex } from './boxIndex';
import { type Drawing, type DrawnEdge, type DrawnNode, isFrame } from './drawing';
import { estimatedLetterWidth, FIRST, type LetterWidth } from './legible';
import { segmentsOf } from './polyline';

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
  { nodes, edges }: Drawing,
  zoom: number,
  letterWidth: LetterWidth = estimatedLetterWidth,
): FrameTitle[] {
  if (!nodes.some(isFrame)) return [];
  const widthOf = (text: string): number => {
    const shares = [...text].map((letter) => letterWidth(letter, LETTERS.weight));
    return shares.reduce((sum, share) => sum + share, 0) * LETTERS.size + PADDING;
  };
  const cards = new BoxIndex<string>();
  for (const drawn of nodes) if (!isFrame(drawn)) cards.add(drawn.box, drawn.node.id);
  const lines = linesOf(edges, zoom);
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
      leastHiding(choices.flatMap(({ usual, moved }) => [...usual, ...moved]).filter(isClear), lines) ??
      choices.flatMap(({ usual }) => usual.slice(-1)).find(isFree) ??
      choices.flatMap(({ usual }) => usual).find(isFree);
    if (!best) continue;
    taken.push(best);
    visibleTitles.push({ drawn, place: best });
  }
  return visibleTitles;
}

/** What titles hide of the lines of a drawing, by place. */
interface LineIndex {
  heads: BoxIndex<number>;
  segments: BoxIndex<number>;
}

/** How far an arrow head reaches along its line and beside it, in pixels of the screen. */
const HEAD = 9;
/** Hiding an arrow head is as bad as hiding so many lines. */
const HEAD_COST = 10;
/** A title leaves the usual corner for more than one line that it would hide there. */
const MOVED_COST = 1.5;

function linesOf(edges: readonly DrawnEdge[], zoom: number): LineIndex {
  const found: LineIndex = { heads: new BoxIndex(), segments: new BoxIndex() };
  edges.forEach(({ edge, points }, at) => {
    for (const { from, to } of segmentsOf(points)) found.segments.add(boxBetween(from, to), at);
    const tips = [
      edge.direction === 'none' ? [] : points.slice(-1),
      edge.direction === 'both' ? points.slice(0, 1) : [],
    ];
    for (const tip of tips.flat()) found.heads.add(inflated(boxBetween(tip, tip), HEAD / zoom), at);
  });
  return found;
}

/** The first of the places where a title hides least; undefined for none. */
function leastHiding(places: readonly Box[], { heads, segments }: LineIndex): Box | undefined {
  let best: Box | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const place of places) {
    const isMoved = place.x > (places[0]?.x ?? 0) + 1;
    const cost = HEAD_COST * heads.over(place).size + segments.over(place).size + (isMoved ? MOVED_COST : 0);
    if (cost < least) [least, best] = [cost, place];
  }
  return best;
}

/** How far along its frame a title may stand that leaves its corner. */
const PLACES_ALONG = [0.5, 1];

/**
 * Where a title of that width may stand: usually in the corner, which is in the strip where that is high enough, or on the
 * frame; moved along the frame where that hides less.
 */
function placesOf(
  { x, y, width: frameWidth }: Box,
  width: number,
  zoom: number,
): { usual: Box[]; moved: Box[] } {
  const height = HEIGHT / zoom;
  const corner = { x, y, width, height };
  const isHigh = GROUP_TITLE >= height;
  const inside = isHigh ? { ...corner, x: x + INDENT / zoom, y: y + (GROUP_TITLE - height) / 2 } : corner;
  const above = { ...corner, y: y - height };
  const usual = isHigh ? [inside, above] : [above, { ...corner, y: y - height / 2 }, inside];
  const room = frameWidth - width - (isHigh ? (2 * INDENT) / zoom : 0);
  const along = room > 0 ? PLACES_ALONG : [];
  return {
    usual,
    moved: along.flatMap((share) => usual.map((place) => ({ ...place, x: place.x + share * room }))),
  };
}
