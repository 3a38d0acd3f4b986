/**
 * In which order the steps of a layout are taken: what is tried at the same time, what is still worth trying then, and
 * from which attempt the best is made. Pure; who takes the steps is passed in (`arrange.ts`, or workers of the page).
 *
 * Both directions are tried. Where groups form a cycle these are our own that say where it begins, and the library's come
 * behind them: they say how many crossings there may be at most. More is tried only where what there is reads badly:
 * layouts level by level, and long chains in several rows.
 */
import type { Size } from '../../../protocol/types';
import type { MoveNodes } from '../moves';
import type { Score } from '../score/judge';
import { balanceOf, isFlawless, isLegible, scaleOf, unclearIn } from '../score/scores';

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
/** What is shown as large needs no other way. */
const LARGE_ENOUGH = 0.9;
/** How much larger a drawing has to be shown to be worth one more layout. */
const MUCH_LARGER = 1.3;
/** So much of the room a drawing fills that has its shape. */
const FILLED = 0.85;
/** So much of its width and height a drawing keeps when it is drawn together, about. */
const TOGETHER = { width: 0.97, height: 0.85 };

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
    if (isWorthTrying(kinds, index, attempts, room)) await tryOne(index);
  const found = attempts.filter((one) => one !== null);
  if (found.length === 0) throw failed;
  const most = mostCrossings(kinds, attempts);
  return { attempts: hasFinish ? await finished(found, most, room, taker) : found, most };
}

/** Of the library's own layouts; what crosses nothing needs none beside it. */
function mostCrossings(kinds: readonly WayKind[], attempts: readonly (Attempt | null)[]): number {
  const plain = attempts.filter((one, index) => one !== null && kinds[index] === 'plain') as Attempt[];
  if (plain.length === 0 && kinds.includes('plain')) return 0;
  return Math.min(...plain.map(({ score }) => score.crossings));
}

/** Whether one more way may say how many crossings there may be, or be shown much larger than what there is. */
function isWorthTrying(
  kinds: readonly WayKind[],
  index: number,
  attempts: readonly (Attempt | null)[],
  room: Size | null,
): boolean {
  const kind = kinds[index] as WayKind;
  const tried = attempts.flatMap((one, at) => (one ? [{ ...one, kind: kinds[at] }] : []));
  if (tried.length === 0) return true;
  const least = Math.min(...tried.map(({ score }) => score.crossings));
  if (kind === 'plain' && !tried.some((one) => one.kind === 'plain')) return least > 0;
  const isOfLibrary = kind === 'plain' || kind === 'turned';
  const fitting = tried.filter(
    ({ score }) => isFlawless(score) && score.crossings <= (isOfLibrary ? least : TAKEN_AWAY * least + 1),
  );
  const shown = (fitting.length > 0 ? fitting : tried).map(({ score }) => drawnTogether(score));
  const isRead = shown.some((score) => isLegible(score, room));
  if (isOfLibrary) return !isRead;
  const best = Math.max(...shown.map((score) => scaleOf(score, room)));
  // As it would fill the room with the shape of the room.
  const area = Math.min(...shown.map((score) => score.area));
  const { width, height } = room ?? { width: 16, height: 10 };
  const filling = { ...(shown[0] as Score), area: area / FILLED ** 2, shape: width / height };
  if (!isRead && isLegible(filling, room)) return true;
  return best < LARGE_ENOUGH && scaleOf(filling, room) > MUCH_LARGER * best;
}

/** About as large as this a drawing is once it is finished, with no line through a title. */
const drawnTogether = (score: Score): Score => ({
  ...score,
  linesThroughTitles: 0,
  area: score.area * TOGETHER.width * TOGETHER.height,
  shape: (score.shape * TOGETHER.width) / TOGETHER.height,
});

/** Finishes the most promising; and if that is not good enough, others. */
async function finished(
  attempts: readonly Attempt[],
  most: number,
  room: Size | null,
  taker: Taker,
): Promise<Attempt[]> {
  const done: Attempt[] = [];
  for (const one of promising(attempts, most, room)) {
    const good = done.filter(({ score }) => isGood(score, most));
    const isRead = good.some(({ score }) => isLegible(score, room));
    const mayBeRead = !isRead && isLegible(drawnTogether(one.score), room);
    if (good.length > 0 && !mayBeRead) continue;
    done.push(await taker.finish(one));
  }
  return done;
}

const isGood = (score: Score, most: number): boolean =>
  isFlawless(score) && score.crossings <= most && unclearIn(score) === 0;

/** An attempt may have so many times the crossings that are allowed: finishing takes some away. */
const TAKEN_AWAY = 1.5;
const MOST_FINISHED = 3;

function promising(attempts: readonly Attempt[], most: number, room: Size | null): Attempt[] {
  const balance = ({ score }: Attempt) => balanceOf(drawnTogether(score), room);
  const order = [...attempts].sort((one, other) => balance(one) - balance(other));
  const flawless = order.filter(({ score }) => isFlawless(score));
  const from = flawless.length > 0 ? flawless : order;
  const best = from.find(({ score }) => score.crossings <= TAKEN_AWAY * most + 1) ?? from[0];
  const safe = order.filter(({ score }) => score.crossings <= most);
  return [...new Set([best, ...safe])].filter((one) => one !== undefined).slice(0, MOST_FINISHED);
}
