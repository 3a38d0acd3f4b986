/**
 * Lays a diagram out: tries variants, has the judge score each as it would be drawn, and takes the best.
 *
 * In steps that can be run apart, so that the page tries variants in several workers at the same time: `planOf` says
 * what there is to try, `attempt` tries one, `finish` betters one, `choose` takes the best. Pure; the layout library is
 * passed in. Not here: which steps are taken (`steps.ts`).
 */
import type { Diagram, DiagramNode, Size } from '../../../protocol/types';
import { drawingOf, lockedNodes } from '../../drawing/drawing';
import type { MeasureText } from '../../drawing/labels';
import { GENTLE_WAYS, type GentleWay, gentleDiagram, keepsPicture } from '../adjust/gentle';
import { drawnTogether, spread } from '../adjust/spread';
import { repacked } from '../elk/components';
import { hasSeparateParts, leadingBack, longestChain } from '../elk/flow';
import { layoutGraph, smallestGroup } from '../elk/graph';
import { type LevelShapes, layoutByLevels, type RunLayout } from '../elk/levels';
import { type LaidOutPart, withLayout } from '../elk/result';
import {
  FOLDED_UP_TO,
  foldedVariants,
  LEVEL_SHAPES,
  LEVELS_UP_TO,
  NARROW_UP_TO,
  narrowVariants,
  shapeOf,
  type Variant,
  variantsOf,
  WRAPPED_FROM,
  WRAPPED_UP_TO,
} from '../elk/variants';
import { atItsCorner, type MoveNodes, operationBetween, routableEdges, withMoves } from '../moves';
import { improvedLines } from '../route/improve';
import { newEffort, repaired } from '../route/repair';
import { withoutLabels } from '../route/reroute';
import { straightened } from '../route/straighten';
import { type LayoutPart, selectionScope, wholeScope } from '../scope';
import { type Score, scoreOf, scoreOfDrawing } from '../score/judge';
import { isWithin } from '../score/judgeBoxes';
import { bestOf, compareScores, isImprovement, legibleRoom, unclearIn, worseOn } from '../score/scores';
import { repeated } from './repeated';
import { type Attempt, type Outline, type Tried, takeSteps, type WayKind } from './steps';

export type { RunLayout } from '../elk/levels';

/** From scratch, or so that who is left of whom, and above whom, stays so. */
export type ArrangeMode = 'scratch' | 'gentle';

export interface ArrangeRequest {
  diagram: Diagram;
  mode: ArrangeMode;
  /** What may move; null for everything that is not locked. */
  ids: readonly string[] | null;
  /** In which it will be shown; null where nobody knows. */
  room: Size | null;
  /** At most so many variants; null for as many as suit the size of the diagram. */
  variants: number | null;
}

export interface ArrangeAnswer {
  /** Null: nothing to change. */
  operation: MoveNodes | null;
  after: Score;
  note: string | null;
}

export interface Settings {
  run: RunLayout;
  measure?: MeasureText | undefined;
}

export const NOTHING_BETTER = 'The diagram is already as good as I can make it.';

/** One thing to try: a variant of the library, a layout of each level in a shape, or a way of our own. */
export type Way = { variant: Variant } | { levels: LevelShapes } | { gentle: GentleWay };

export interface ReadyPlan {
  parts: readonly LayoutPart[];
  ways: readonly Way[];
  count: number;
  outline: Outline;
  reason?: undefined;
}

export type Plan = ReadyPlan | { reason: string };

/** What there is to try, or in words why nothing. */
export function planOf(request: ArrangeRequest): Plan {
  const { diagram, mode, ids, room, variants: most } = request;
  const scope = ids ? selectionScope(diagram, new Set(ids)) : wholeScope(diagram);
  if (scope.reason !== undefined) return scope;
  const hasLocked = lockedNodes(diagram.nodes).size > 0;
  const turned = turnedWays(request, variantsOf(room));
  const shape = shapeOf(room);
  const levels: Way[] = mayGoByLevels(request, scope.count)
    ? levelShapesFor(diagram).map((share) => ({
        levels: { outer: shape, inner: shape * share, wraps: false },
      }))
    : [];
  const wrapped: Way[] = mayWrap(request) ? [{ levels: { outer: shape, inner: shape, wraps: true } }] : [];
  const plain = variantsOf(room).map((variant): Way => ({ variant }));
  const narrow: Way[] =
    isFree(request) && scope.count <= NARROW_UP_TO
      ? narrowVariants(room).map((variant) => ({ variant: { ...variant, turns: turned.length > 0 } }))
      : [];
  const folded: Way[] =
    isFree(request) && scope.count <= FOLDED_UP_TO
      ? foldedVariants(room, legibleRoom(room)).map((variant) => ({ variant }))
      : [];
  const directions = [...turned, ...plain];
  const others = [...narrow, ...folded, ...directions.slice(3), ...levels, ...wrapped];
  const fresh = [...directions.slice(0, 3), ...others];
  const gentle = GENTLE_WAYS.map((way): Way => ({ gentle: way }));
  // Around what is locked hardly any layout from scratch is better on every count.
  const all = mode === 'gentle' ? gentle : hasLocked ? [...fresh, ...gentle] : fresh;
  const ways = all.slice(0, most ?? undefined);
  const outline = { kinds: ways.map(kindOf), hasFinish: isFree(request) };
  return { parts: scope.parts, ways, count: scope.count, outline };
}

/** The variants that say which group comes first, where some lines between groups lead back. */
function turnedWays({ diagram: { nodes, edges } }: ArrangeRequest, variants: readonly Variant[]): Way[] {
  const lines = edges.filter(({ source, target }) => source !== target);
  if (leadingBack(lines, nodes).size === 0) return [];
  return variants.map((variant) => ({ variant: { ...variant, turns: true } }));
}

function kindOf(way: Way): WayKind {
  if ('variant' in way) {
    if (way.variant.narrow) return way.variant.narrow === 'split' ? 'split' : 'narrow';
    if (way.variant.fold) return way.variant.direction === 'RIGHT' ? 'foldedRight' : 'foldedDown';
    return way.variant.turns ? 'turned' : 'plain';
  }
  if ('gentle' in way) return 'gentle';
  return way.levels.wraps ? 'wrapped' : 'levels';
}

/** Where most lines lead out of their groups, a layout level by level crosses too many. */
const LEAST_WITHIN = 0.3;

function mayGoByLevels({ diagram: { nodes, edges } }: ArrangeRequest, count: number): boolean {
  if (count > LEVELS_UP_TO || nodes.every(({ parent }) => parent === null)) return false;
  return edges.length - leadingOut({ nodes, edges }) >= LEAST_WITHIN * edges.length;
}

/** Only parts that are not connected can be packed in another shape. */
const levelShapesFor = ({ nodes, edges }: Diagram): readonly number[] =>
  hasSeparateParts(edges, nodes) ? LEVEL_SHAPES : LEVEL_SHAPES.slice(0, 1);

const mayWrap = (request: ArrangeRequest): boolean =>
  isFree(request) &&
  leadingOut(request.diagram) < WRAPPED_UP_TO &&
  longestChain(request.diagram.edges, request.diagram.nodes) >= WRAPPED_FROM;

/** How many edges lead out of the group of one of their ends. */
function leadingOut({ nodes, edges }: Diagram): number {
  const parents = new Map(nodes.map(({ id, parent }) => [id, parent]));
  return edges.filter(({ source, target }) => parents.get(source) !== parents.get(target)).length;
}

/**
 * Tries one way of a plan. Where everything may move, what takes most of the time is left to `finish`, for the best.
 *
 * Throws what the library throws: it does not know every graph in every way.
 */
export async function attempt(
  request: ArrangeRequest,
  { parts, ways }: ReadyPlan,
  index: number,
  settings: Settings,
): Promise<Attempt> {
  const { diagram } = request;
  const way = ways[index] as Way;
  const first =
    'gentle' in way
      ? gentleDiagram(diagram, request.ids, way.gentle)
      : withLayout(diagram, await laidOut(diagram, parts, way, settings));
  const settled = withMoves(diagram, operationBetween(diagram, first));
  const [effort, routable] = [newEffort(), routableIn(request)];
  const isLeast = 'gentle' in way && way.gentle === 'flaws';
  const cleared = repaired(settled, routable, effort, !isLeast);
  if (isFree(request)) {
    const operation = operationBetween(diagram, cleared);
    return { operation, score: scoreOf(withoutLabels(withMoves(diagram, operation)), diagram) };
  }
  const clear = improvedLines(cleared, routable, effort);
  const found = betterLabelled(diagram, cleared, clear, settings.measure);
  return isLeast ? found : withoutFaults(diagram, found, routable, settings.measure);
}

/** Betters the lines of an attempt, and makes room for labels. */
export function finish(request: ArrangeRequest, { operation }: Attempt, measure?: MeasureText): Attempt {
  const { diagram } = request;
  const routable = routableIn(request);
  const cleared = withMoves(diagram, operation);
  const clear = improvedLines(cleared, routable, newEffort());
  const found =
    clear.nodes.length > SPREAD_UP_TO
      ? betterLabelled(diagram, cleared, clear, measure)
      : withRoom(diagram, clear, measure);
  return withoutFaults(diagram, found, routable, measure);
}

/** Drawn together, with room for labels; only with that room, where the other made anything worse. */
function withRoom(diagram: Diagram, clear: Diagram, measure?: MeasureText): Attempt {
  const close = attemptOf(diagram, spread(drawnTogether(clear, measure), measure), measure);
  const isClear = unclearIn(close.score) === 0;
  if (isClear && worseOn(close.score, scoreOf(withoutLabels(clear))).length === 0) return close;
  const loose = withLabels(diagram, clear, measure);
  return worseOn(close.score, loose.score).length === 0 ? close : loose;
}

function withLabels(diagram: Diagram, clear: Diagram, measure?: MeasureText): Attempt {
  const attempted = attemptOf(diagram, clear, measure);
  const roomier = attemptOf(diagram, spread(clear, measure), measure);
  const asLarge = { area: 1, shape: 1 };
  const order = compareScores({ ...roomier.score, ...asLarge }, { ...attempted.score, ...asLarge }, null);
  return order < 0 ? roomier : attempted;
}

function withoutFaults(
  diagram: Diagram,
  { operation, score }: Attempt,
  routable: ReadonlySet<string>,
  measure?: MeasureText,
): Attempt {
  const drawn = withMoves(diagram, operation);
  const straight = straightened(drawn, routable, score, measure);
  return straight === drawn ? { operation, score } : attemptOf(diagram, straight, measure);
}

/** What may get another route: in a selection only lines that end in it. */
function routableIn({ diagram, ids }: ArrangeRequest): ReadonlySet<string> {
  const routable = routableEdges(diagram);
  if (ids === null) return routable;
  const parents = new Map(diagram.nodes.map(({ id, parent }) => [id, parent]));
  const isChosen = (end: string): boolean => ids.some((id) => id === end || isWithin(parents, end, id));
  const touching = diagram.edges.filter(({ source, target }) => isChosen(source) || isChosen(target));
  return new Set(touching.map(({ id }) => id).filter((id) => routable.has(id)));
}

/** Better lines, unless that hides labels, for which no room can be made. */
function betterLabelled(diagram: Diagram, before: Diagram, after: Diagram, measure?: MeasureText): Attempt {
  const better = attemptOf(diagram, after, measure);
  if (before === after || (better.score.labelsHidden === 0 && better.score.labelsOnLabels === 0))
    return better;
  const plain = attemptOf(diagram, before, measure);
  return worseOn(better.score, plain.score).length === 0 ? better : plain;
}

function attemptOf(diagram: Diagram, after: Diagram, measure?: MeasureText): Attempt {
  const operation = operationBetween(diagram, after);
  return { operation, score: scoreOf(withMoves(diagram, operation), diagram, measure) };
}

/** Beyond this many nodes names can hardly be read anyway. */
const SPREAD_UP_TO = 250;

/** Whether everything may move, wherever it was before. */
const isFree = ({ mode, ids, diagram }: ArrangeRequest): boolean =>
  mode === 'scratch' && ids === null && lockedNodes(diagram.nodes).size === 0;

async function laidOut(
  diagram: Diagram,
  parts: readonly LayoutPart[],
  way: Exclude<Way, { gentle: GentleWay }>,
  { run }: Settings,
): Promise<LaidOutPart[]> {
  const nodes = new Map(diagram.nodes.map((node) => [node.id, node]));
  const leastOf = (group: string): Size => smallestGroup(nodes.get(group) as DiagramNode);
  const found: LaidOutPart[] = [];
  for (const part of parts) {
    const graph =
      'variant' in way
        ? repacked(await run(layoutGraph(diagram, part, way.variant)), { shape: way.variant.shape, leastOf })
        : await layoutByLevels(diagram, part, way.levels, run);
    found.push({ part, graph });
  }
  return found;
}

/**
 * The best of some attempts. Gentle, or around what is locked, it is taken only where it is worse on no count.
 */
export function choose(
  request: ArrangeRequest,
  { attempts, most }: Tried,
  measure?: MeasureText,
): ArrangeAnswer {
  const { diagram, mode, room, ids } = request;
  const mayOnlyImprove = mode === 'gentle' || ids !== null || lockedNodes(diagram.nodes).size > 0;
  // Nodes without places lie on each other; drawing that takes long and serves nothing.
  const before = mayOnlyImprove ? scoreOf(diagram, null, measure) : null;
  const fitting = attempts.filter(({ operation, score }) => {
    if (!before) return true;
    if (!operation) return false;
    return mode === 'gentle'
      ? isImprovement(score, before) && keepsPicture(diagram, withMoves(diagram, operation))
      : worseOn(score, before).length === 0;
  });
  const best = bestOf(fitting, most, room);
  if (!best?.operation)
    return {
      operation: null,
      after: best?.score ?? before ?? scoreOf(diagram, null, measure),
      note: NOTHING_BETTER,
    };
  const operation = isFree(request) ? atItsCorner(diagram, best.operation) : best.operation;
  const isShifted = operation !== best.operation;
  const after = isShifted ? scoreOf(withMoves(diagram, operation), diagram, measure) : best.score;
  return { operation, after, note: operation ? null : NOTHING_BETTER };
}

/**
 * Takes all steps, in the order of `takeSteps`, gently until nothing gets better: not every way of the plan is tried. The
 * operation is null, with a note, where nothing may move or nothing better was found.
 *
 * Throws what the library throws, where it lays out the diagram in no way that was tried.
 */
export const arrange = (request: ArrangeRequest, settings: Settings): Promise<ArrangeAnswer> =>
  repeated(request, (one) => arrangeOnce(one, settings));

async function arrangeOnce(request: ArrangeRequest, settings: Settings): Promise<ArrangeAnswer> {
  const plan = planOf(request);
  if (plan.reason !== undefined) {
    const score = scoreOfDrawing(drawingOf(request.diagram), null);
    return { operation: null, after: score, note: plan.reason };
  }
  const tried = await takeSteps(plan.outline, request.room, {
    attempt: (index) => attempt(request, plan, index, settings),
    finish: async (one) => finish(request, one, settings.measure),
  });
  return choose(request, tried, settings.measure);
}
