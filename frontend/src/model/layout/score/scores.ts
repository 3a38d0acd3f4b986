/** Which of two scores is better, and whether one is worse on any count. Pure. */
import type { Size } from '../../../protocol/types';
import { DEFAULT_SIZE } from '../../drawing/boxes';
import type { Score } from './judge';
import { LEAST, ROOMS } from './legible';

/** What makes a drawing wrong, not only less beautiful. */
const HARD = [
  'overlaps',
  'strangersInFrames',
  'framesOverFrames',
  'linesThroughNodes',
  'coincident',
] as const;

/** Counts of which none may grow where a drawing may only get better. */
export const STRICT = [
  ...HARD,
  'linesThroughTitles',
  'crossings',
  'bends',
  'labelsHidden',
  'labelsOnLabels',
] as const;

/** The counts on which a score is worse than another; how much moved, area, length and shape are left out. */
export const worseOn = (after: Score, before: Score): (keyof Score)[] =>
  STRICT.filter((count) => after[count] > before[count]);

/** Whether it is worse on no count, and better on one. */
export const isImprovement = (after: Score, before: Score): boolean =>
  worseOn(after, before).length === 0 && STRICT.some((count) => after[count] < before[count]);

export const isFlawless = (score: Score): boolean => HARD.every((count) => score[count] === 0);

/** What a drawing is shown in where nobody says so. */
const USUAL_ROOM: Size = ROOMS.diagram;

/** The scale at which a drawing of this area and shape fits a room; nothing is shown larger than it is. */
export function scaleOf({ area, shape }: Score, room: Size | null): number {
  if (area === 0 || shape === 0) return 1;
  const { width, height } = room ?? USUAL_ROOM;
  const tall = Math.sqrt(area / shape);
  return Math.min(1, width / (tall * shape), height / tall);
}

/** The share of a room that a drawing would fill at its full size; above 1 it is larger. */
export const filledBy = ({ area }: Score, room: Size | null): number =>
  area / ((room ?? USUAL_ROOM).width * (room ?? USUAL_ROOM).height);

/** At this scale, or a larger one, the names of usual cards can be read. */
const LEGIBLE_SCALE = Math.max(LEAST.width / DEFAULT_SIZE.width, LEAST.height / DEFAULT_SIZE.height);

/** In how many of the room and the one beside a document names can be read. */
export const legibleIn = (score: Score, room: Size | null): number =>
  roomsFor(room).filter((one) => isLegibleIn(score, one)).length;

const isLegibleIn = (score: Score, room: Size): boolean => scaleOf(score, room) >= LEGIBLE_SCALE;

/** Whether names can be read both in the room and beside a document. */
export const isLegible = (score: Score, room: Size | null): boolean =>
  legibleIn(score, room) === roomsFor(room).length;

/** How large a drawing may be for its names to be read in a room, in its own pixels. */
export function legibleRoom(room: Size | null): Size {
  const { width, height } = room ?? USUAL_ROOM;
  return { width: width / LEGIBLE_SCALE, height: height / LEGIBLE_SCALE };
}

/** The share of a room that a drawing of another shape would fill where names can just be read. */
export const filledWhereLegible = (score: Score, room: Size | null): number =>
  filledBy(score, legibleRoom(room));

/** The same of the room beside a document. */
export const filledOfHalf = (score: Score): number => filledWhereLegible(score, ROOMS.split);

/** Whoever sees all of the canvas in one view sees half of it in another, or somebody else does. */
const roomsFor = (room: Size | null): Size[] => [room ?? USUAL_ROOM, ROOMS.split];

/** Scales that differ less look the same. */
const SCALE_STEP = 0.05;

/**
 * Below 0 where the first is better: fewer hard flaws, then fewer crossings, then fewer lines through titles and hidden
 * labels, then shown larger in the room, then fewer bends, then shorter lines.
 */
export function compareScores(one: Score, other: Score, room: Size | null): number {
  for (const count of HARD) if (one[count] !== other[count]) return one[count] - other[count];
  if (one.crossings !== other.crossings) return one.crossings - other.crossings;
  const unclear = unclearIn(one) - unclearIn(other);
  if (unclear !== 0) return unclear;
  const scales = scaleOf(other, room) - scaleOf(one, room);
  if (Math.abs(scales) > SCALE_STEP) return scales;
  return one.bends - other.bends || one.length - other.length;
}

export const unclearIn = ({ linesThroughTitles, labelsHidden, labelsOnLabels }: Score): number =>
  linesThroughTitles + labelsHidden + labelsOnLabels;

/** What something that is hidden and a tenth less in scale are worth in crossings. */
const UNCLEAR = 10;
const TENTH = 4;
/** What names are worth that cannot be read in the room, and beside a document. */
const NAMELESS = 25;
const NAMELESS_BESIDE = 10;

/** Crossings, and what is unclear and small as if it were crossings: lower is better. */
export function balanceOf(score: Score, room: Size | null): number {
  const unread =
    (isLegibleIn(score, room ?? USUAL_ROOM) ? 0 : NAMELESS) +
    (isLegibleIn(score, ROOMS.split) ? 0 : NAMELESS_BESIDE);
  return score.crossings + UNCLEAR * unclearIn(score) + unread - 10 * TENTH * scaleOf(score, room);
}

/**
 * The best of several: without hard flaws if one is, of those with no more than so many crossings, the one with the best
 * balance of crossings, clarity and scale.
 */
export function bestOf<T extends { score: Score }>(
  several: readonly T[],
  most: number,
  room: Size | null,
): T | null {
  const [first] = [...several].sort((one, other) => compareScores(one.score, other.score, room));
  if (!first) return null;
  const isEqual = ({ score }: T) =>
    HARD.every((count) => score[count] === first.score[count]) && score.crossings <= most;
  const balanced = several
    .filter(isEqual)
    .sort((one, other) => balanceOf(one.score, room) - balanceOf(other.score, room));
  return balanced[0] ?? first;
}
