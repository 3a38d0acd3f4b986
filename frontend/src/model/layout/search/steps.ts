/**
 * In which order the steps of a layout are taken: what is tried at the same time, what is still worth trying then, and
 * from which attempt the best is made. Pure; who takes the steps is passed in (`arrange.ts`, or workers of the page).
 *
 * Both directions are tried. Where groups form a cycle these are our own that say where it begins, and the library's come
 * behind them: they say how many crossings there may be at most. More is tried only where what there is reads badly:
 * narrow rows, folded drawings, layouts level by level, and long chains in several rows.
 */
import type { Size } from '../../../protocol/types';
import type { MoveNodes } from '../moves';
import type { Score } from '../score/judge';
import {
  balanceOf,
  filledOfHalf,
  filledWhereLegible,
  isFlawless,
  isLegible,
  legibleIn,
  scaleOf,
  unclearIn,
} from '../score/scores';

/** One way of a plan as it would be drawn; the score of what is to be finished leaves labels out. */
export interface Attempt {
  operation: MoveNodes | null;
  score: Score;
}

export type WayKind =
  | 'plain'
  | 'turned'
  | 'narrow'
  | 'split'
  | 'foldedRight'
  | 'foldedDown'
  | 'levels'
  | 'wrapped'
  | 'gentle';

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
/** Where other layouts cross more, a chain in several rows crosses far too much. */
const WRAPPED_CROSSINGS = 1;
/** A narrow drawing may fit half of a screen, and a folded one the room, that another one would fill so many times. */
const MAY_FIT = 1.25;
/** So much of its width and height a drawing keeps when it is drawn together, about: rows of few nodes lie far apart. */
const TOGETHER: Partial<Record<WayKind, Size>> & { plain: Size } = {
  plain: { width: 0.97, height: 0.85 },
  narrow: { width: 1, height: 0.67 },
  split: { width: 1, height: 0.54 },
  foldedRight: { width: 0.9, height: 0.9 },
  foldedDown: { width: 0.95, height: 0.78 },
};

/** Throws what an attempt has thrown, if none was made. */
export async function takeSteps(outline: Outline, room: Size | null, taker: Taker): Promise<Tried> {
  const { kinds, hasFinish } = outline;
  const tried: (Drawn | null)[] = kinds.map(() => null);
  let failed: unknown = null;
  const tryOne = async (index: number): Promise<void> => {
    try {
      const attempt = await taker.attempt(index);
      const kind = kinds[index] as WayKind;
      tried[index] = { attempt, kind, together: drawnTogether(attempt.score, kind) };
    } catch (error) {
      // The library does not know every graph in every way; one way that works is enough.
      failed = error;
    }
  };
  const found = () => tried.filter((one) => one !== null);
  const indexes = kinds.map((_, index) => index);
  const tryOthers = async (): Promise<void> => {
    for (const index of indexes)
      if (!tried[index] && isWorthTrying(kinds[index] as WayKind, found(), room)) await tryOne(index);
  };
  await Promise.all(indexes.slice(0, hasFinish ? AT_ONCE : undefined).map(tryOne));
  if (hasFinish) await tryOthers();
  if (found().length === 0) throw failed;
  const most = mostCrossings(kinds, found());
  if (!hasFinish) return { attempts: found().map(({ attempt }) => attempt), most };
  const attempts = await finished(found(), most, room, taker);
  const before = new Set(found());
  if (!attempts.some((one) => isGood(one.score, most) && isLegible(one.score, room))) await tryOthers();
  const others = found().filter((one) => !before.has(one));
  return { attempts: [...attempts, ...(await finished(others, most, room, taker))], most };
}

/** An attempt, and what becomes of it when it is finished: about, until it is. */
interface Drawn {
  attempt: Attempt;
  kind: WayKind;
  together: Score;
}

/** Of the library's own layouts; what crosses nothing needs none beside it. */
function mostCrossings(kinds: readonly WayKind[], tried: readonly Drawn[]): number {
  const plain = tried.filter(({ kind }) => kind === 'plain');
  if (plain.length === 0 && kinds.includes('plain')) return 0;
  return Math.min(...plain.map(({ attempt }) => attempt.score.crossings));
}

/** Whether one more way may say how many crossings there may be, or be shown much larger than what there is. */
function isWorthTrying(kind: WayKind, tried: readonly Drawn[], room: Size | null): boolean {
  if (tried.length === 0) return true;
  const least = Math.min(...tried.map(({ together }) => together.crossings));
  if (kind === 'plain' && !tried.some((one) => one.kind === 'plain')) return least > 0;
  if (kind === 'wrapped' && least > WRAPPED_CROSSINGS) return false;
  const isOfLibrary = kind === 'plain' || kind === 'turned';
  const fitting = tried.filter(
    ({ together }) =>
      isFlawless(together) && together.crossings <= (isOfLibrary ? least : TAKEN_AWAY * least + 1),
  );
  const shown = (fitting.length > 0 ? fitting : tried).map(({ together }) => together);
  const isRead = shown.some((score) => isLegible(score, room));
  const mayBeRead = !isRead && shown.some((score) => filledOfHalf(score) < MAY_FIT);
  // Both directions of the library cross about as often.
  if (isOfLibrary)
    return mayBeRead && tried.some((one) => one.kind === 'plain' && one.together.crossings <= least);
  if (kind === 'narrow' || kind === 'split') return mayBeRead;
  if (kind === 'foldedRight' || kind === 'foldedDown')
    return (
      !shown.some((score) => legibleIn(score, room) > 0) &&
      shown.some((score) => filledWhereLegible(score, room) < MAY_FIT)
    );
  const best = Math.max(...shown.map((score) => scaleOf(score, room)));
  // As it would fill the room with the shape of the room.
  const area = Math.min(...shown.map((score) => score.area));
  const { width, height } = room ?? { width: 16, height: 10 };
  const filling = { ...(shown[0] as Score), area: area / FILLED ** 2, shape: width / height };
  if (!isRead && isLegible(filling, room)) return true;
  return best < LARGE_ENOUGH && scaleOf(filling, room) > MUCH_LARGER * best;
}

/** About as large as this a drawing is once it is finished, with no line through a title. */
function drawnTogether(score: Score, kind: WayKind): Score {
  const { width, height } = TOGETHER[kind] ?? TOGETHER.plain;
  return {
    ...score,
    linesThroughTitles: 0,
    area: score.area * width * height,
    shape: (score.shape * width) / height,
  };
}

/** Finishes the most promising; and if that is not good enough, others. */
async function finished(
  tried: readonly Drawn[],
  most: number,
  room: Size | null,
  taker: Taker,
): Promise<Attempt[]> {
  const done: Attempt[] = [];
  const good: Score[] = [];
  for (const one of promising(tried, most, room)) {
    const expected = legibleIn(one.together, room);
    if (good.some((score) => legibleIn(score, room) >= expected)) continue;
    const attempt = await taker.finish(one.attempt);
    one.together = attempt.score;
    done.push(attempt);
    // What was to be read and cannot be is no reason to leave out what crosses less.
    const isAsExpected = expected === 0 || legibleIn(attempt.score, room) > 0;
    if (isAsExpected && isGood(attempt.score, most)) good.push(attempt.score);
  }
  return done;
}

const isGood = (score: Score, most: number): boolean =>
  isFlawless(score) && score.crossings <= most && unclearIn(score) === 0;

/** An attempt may have so many times the crossings that are allowed: finishing takes some away. */
const TAKEN_AWAY = 1.5;
const MOST_FINISHED = 3;

function promising(tried: readonly Drawn[], most: number, room: Size | null): Drawn[] {
  const balance = ({ together }: Drawn) => balanceOf(together, room);
  const order = [...tried].sort((one, other) => balance(one) - balance(other));
  const flawless = order.filter(({ together }) => isFlawless(together));
  const from = flawless.length > 0 ? flawless : order;
  const allowed = from.filter(({ together }) => together.crossings <= TAKEN_AWAY * most + 1);
  const best = allowed[0] ?? from[0];
  const legible = (one: Drawn | undefined) => (one ? legibleIn(one.together, room) : 0);
  const clearer = allowed.filter((one) => legible(one) > legible(best));
  const safe = order.filter(({ together }) => together.crossings <= most);
  const several = new Set([best, ...clearer, ...safe]);
  return [...several].filter((one) => one !== undefined).slice(0, MOST_FINISHED);
}
