/**
 * The requests that the layout engine answers. Their shapes are those of `model/layout/search/arrange.ts`; a diagram may leave
 * out what layouts do not need.
 */

import { drawingOf } from '../model/drawing/drawing';
import type { MeasureText } from '../model/drawing/labels';
import { layoutGraph } from '../model/layout/elk/graph';
import { withLayout } from '../model/layout/elk/result';
import { type LayoutDirection, variantsOf } from '../model/layout/elk/variants';
import { operationBetween, withMoves } from '../model/layout/moves';
import { routedAnew } from '../model/layout/route/routeNew';
import { wholeScope } from '../model/layout/scope';
import { scoreOf, scoreOfDrawing } from '../model/layout/score/judge';
import { legibleNames } from '../model/layout/score/legible';
import {
  type ArrangeRequest,
  arrange,
  attempt,
  choose,
  finish,
  planOf,
} from '../model/layout/search/arrange';
import type { Attempt, Tried } from '../model/layout/search/steps';
import type { Diagram, DiagramEdge, DiagramNode } from '../protocol/types';
import { runLayout } from './library';

type RawRequest = Partial<Omit<ArrangeRequest, 'diagram'>> & { diagram: SparseDiagram };
interface SparseDiagram {
  nodes: (Partial<DiagramNode> & Pick<DiagramNode, 'id' | 'type' | 'position'>)[];
  edges: (Partial<DiagramEdge> & Pick<DiagramEdge, 'id' | 'source' | 'target'>)[];
}

export type EngineRequest =
  | ({ task: 'arrange' | 'plan' } & RawRequest)
  | ({ task: 'attempt'; index: number } & RawRequest)
  | ({ task: 'finish'; attempt: Attempt } & RawRequest)
  | ({ task: 'choose'; tried: Tried } & RawRequest)
  | { task: 'route'; diagram: SparseDiagram; edges: readonly string[]; around: readonly string[] }
  | { task: 'judge'; diagram: SparseDiagram; before?: SparseDiagram | null }
  | { task: 'plain'; diagram: SparseDiagram; direction: LayoutDirection };

export async function answerTo(request: EngineRequest, measure?: MeasureText): Promise<unknown> {
  const settings = { run: runLayout, measure };
  const diagram = filled(request.diagram);
  switch (request.task) {
    case 'arrange':
      return arrange(arrangeRequest(request, diagram), settings);
    case 'plan': {
      const plan = planOf(arrangeRequest(request, diagram));
      return plan.reason === undefined ? { outline: plan.outline, count: plan.count } : plan;
    }
    case 'attempt': {
      const fullRequest = arrangeRequest(request, diagram);
      const plan = planOf(fullRequest);
      if (plan.reason !== undefined) throw new Error(plan.reason);
      return attempt(fullRequest, plan, request.index, settings);
    }
    case 'finish':
      return finish(arrangeRequest(request, diagram), request.attempt, measure);
    case 'choose':
      return choose(
        arrangeRequest(request, diagram),
        { ...request.tried, most: request.tried.most ?? Infinity },
        measure,
      );
    case 'route':
      return { operation: routedAnew(diagram, new Set(request.edges), new Set(request.around)) };
    case 'judge':
      return judged(diagram, request.before ? filled(request.before) : null, measure);
    case 'plain':
      return plainLayout(diagram, request.direction, measure);
  }
}

function judged(diagram: Diagram, before: Diagram | null, measure?: MeasureText) {
  const drawing = drawingOf(diagram, { measure });
  return { score: scoreOfDrawing(drawing, before), legible: legibleNames(drawing) };
}

/** One run of the library with its defaults, nothing repaired: what a layout is compared with. */
async function plainLayout(diagram: Diagram, direction: LayoutDirection, measure?: MeasureText) {
  const scope = wholeScope(diagram);
  if (scope.reason !== undefined) return { operation: null, score: scoreOf(diagram, null, measure) };
  const variants = variantsOf(null);
  const variant = variants.find((one) => one.direction === direction);
  if (!variant) throw new Error(`There is no direction ${direction}.`);
  const laidOut = [];
  for (const part of scope.parts)
    laidOut.push({ part, graph: await runLayout(layoutGraph(diagram, part, variant)) });
  const operation = operationBetween(diagram, withLayout(diagram, laidOut));
  return { operation, score: scoreOf(withMoves(diagram, operation), diagram, measure) };
}

const arrangeRequest = (request: RawRequest, diagram: Diagram): ArrangeRequest => ({
  diagram,
  mode: request.mode ?? 'scratch',
  ids: request.ids ?? null,
  room: request.room ?? null,
  variants: request.variants ?? null,
});

const filled = ({ nodes, edges }: SparseDiagram): Diagram => ({
  nodes: nodes.map((node) => ({ ...NODE, ...node })),
  edges: edges.map((edge) => ({ ...EDGE, ...edge })),
});

const NODE: Omit<DiagramNode, 'id' | 'type' | 'position'> = {
  label: '',
  description: '',
  technology: '',
  notes: '',
  image: '',
  color: '',
  style: '',
  properties: {},
  size: null,
  parent: null,
  locked: false,
};

const EDGE: Omit<DiagramEdge, 'id' | 'source' | 'target'> = {
  label: '',
  kind: 'sync',
  direction: 'forward',
  description: '',
  color: '',
  style: '',
  shape: '',
  properties: {},
  route: null,
  route_by: null,
  label_at: null,
};
