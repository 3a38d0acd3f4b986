/**
 * In which order the steps of a layout are taken: what is tried at the same time, what is still worth trying then, and
 * from which attempt the best is made. Pure; who takes the steps is passed in (`arrange.ts`, or workers of the page).
 *
 * The library's layouts in its two directions cross as many lines, so one of them says how many there may be at most; where
 * groups form a cycle, one of ours that says where it begins is tried beside it.
 * With a layout level by level beside it, more is tried only where what there is reads badly: another shape of the levels
 * where the first crosses too many lines, the second direction where it may be shown much larger, and long chains in
 * several rows where they would be a strip.
 */
import type { Size } from '../../../protocol/types';
import type { MoveNodes } from '../moves';
import type { Score } from '../score/judge';
import { balanceOf, filledBy, isFlawless, scaleOf, unclearIn } from '../score/scores';

/** One way of a plan as it would be drawn; the score of what is to be finished leaves labels out. */
export interface Attempt {
  operation: MoveNodes | null;
  score: Score;
}

export type WayKind = 'plain' | 'turned' | 'levels' | 'wrapped' | 'gentle';

/** What a plan says about itself. */
export interface Outline {
  kinds: readonly WayKind[];
  /** Whether attempts are to be finished; else they are. */
  hasFinish: boolean;
  /** The usual size of a node. */
  card: Size;
}

export interface Taker {
  attempt(index: number): Promise<Attempt>;
  finish(attempt: Attempt): Promise<Attempt>;
}

export interface Tried {
  /** Finished ones. */
  attempts: Attempt[];
  /** No more lines may cross than in the library's own layouts. */
  most: number;
}

const AT_ONCE = 2;
/** Shown larger than this, names can be read. */
const LEGIBLE = 0.9;
/** How much larger a drawing has to be shown to be worth one more layout. */
const MUCH_LARGER = 1.3;
/** So much of the room a drawing fills that has its shape. */
const FILLED = 0.85;
/** The usual gaps between two layers, and between two nodes of one. */
const GAPS = { along: 60, across: 40 };

/** Throws what an attempt has thrown, if none was made. */
export async function takeSteps(outline: Outline, room: Size | null, taker: Taker): Promise<Tried> {
  const { kinds, hasFinish } = outline;
  const attempts: (Attempt | null)[] = kinds.map(() => null);
  let failed: unknown = null;
  const tryOne = async (index: number): Promise<void> => {
    try {
      attempts[index] = await taker.attempt(index);
    } catch (error) {
      // The library does not know every graph in every way; one way that works is enough.
      failed = error;
    }
  };
  const indexes = kinds.map((_, index) => index);
  await Promise.all(indexes.slice(0, hasFinish ? AT_ONCE : undefined).map(tryOne));
  for (const index of hasFinish ? indexes.slice(AT_ONCE) : [])
    if (isWorthTrying(kinds[index] as WayKind, attempts, outline, room)) await tryOne(index);
  const found = attempts.filter((one) => one !== null);
  if (found.length === 0) throw failed;
  const plain = attempts.filter((one, index) => one !== null && kinds[index] === 'plain') as Attempt[];
  const most = Math.min(...plain.map(({ score }) => score.crossings));
  return { attempts: hasFinish ? await finished(found, most, room, taker) : found, most };
}

/** Whether one more way may be shown much larger than what there is. */
function isWorthTrying(
  kind: WayKind,
  attempts: readonly (Attempt | null)[],
  { card }: Outline,
  room: Size | null,
): boolean {
  const [first, ...others] = attempts;
  if (!first) return true;
  const { score } = first;
  const tried = others.filter((one) => one !== null);
  const fitting = tried.filter((one) => isFlawless(one.score) && one.score.crossings <= score.crossings);
  const best = Math.max(...[first, ...fitting].map((one) => scaleOf(one.score, room)));
  if (best >= LEGIBLE) return false;
  // As it would fill the room with the shape of the room.
  const mayFill = FILLED * Math.sqrt(1 / filledBy(score, room)) > MUCH_LARGER * best;
  if (kind === 'wrapped' || (kind === 'levels' && mayFill)) return mayFill;
  const other = kind === 'levels' ? tried : [{ score: { ...score, ...turnedSize(score, card) } }];
  return other.some((one) => scaleOf(one.score, room) > MUCH_LARGER * best);
}

/** About as large as this is the layout of which the other direction has a score. */
function turnedSize({ area, shape }: Score, card: Size): Pick<Score, 'area' | 'shape'> {
  const [along, across] = [Math.sqrt(area * shape), Math.sqrt(area / shape)];
  const height = (along * (card.height + GAPS.along)) / (card.width + GAPS.along);
  const width = (across * (card.width + GAPS.across)) / (card.height + GAPS.across);
  return { area: width * height, shape: width / height };
}

/** Finishes the most promising; and if that is not good enough, others. */
async function finished(
  attempts: readonly Attempt[],
  most: number,
  room: Size | null,
  taker: Taker,
): Promise<Attempt[]> {
  const done: Attempt[] = [];
  for (const one of promising(attempts, most, room)) {
    const better = await taker.finish(one);
    done.push(better);
    if (isFlawless(better.score) && better.score.crossings <= most && unclearIn(better.score) === 0) break;
  }
  return done;
}

/** An attempt may have so many times the crossings that are allowed: finishing takes some away. */
const TAKEN_AWAY = 1.5;
const MOST_FINISHED = 3;

function promising(attempts: readonly Attempt[], most: number, room: Size | null): Attempt[] {
  const order = [...attempts].sort((one, other) => balanceOf(one.score, room) - balanceOf(other.score, room));
  const flawless = order.filter(({ score }) => isFlawless(score));
  const from = flawless.length > 0 ? flawless : order;
  const best = from.find(({ score }) => score.crossings <= TAKEN_AWAY * most + 1) ?? from[0];
  const safe = order.filter(({ score }) => score.crossings <= most);
  return [...new Set([best, ...safe])].filter((one) => one !== undefined).slice(0, MOST_FINISHED);
}
