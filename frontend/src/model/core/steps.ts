/**
 * Steps: the smallest applied changes; resolved, exact, invertible. Twin of the server's `transform/steps/`.
 *
 * A step holds old and new values, so it can be checked against a state (`misfit`) and inverted without one. Checks are
 * structural only, and reasons are in the server's words. The wire form is the only form. Not here: how operations
 * become steps (`predict.ts`).
 */
import type { Step } from '../../protocol/live';
import { applyTo } from './changes';
import { definitionOf } from './customTypes';
import { edgeFieldsMisfit, edgeMisfit } from './stepsEdge';
import { nodeFieldsMisfit, nodeMisfit } from './stepsNode';
import { inverseText, textMisfit } from './stepsText';
import { same } from './values';
import type { EdgeRecord, NodeRecord, WorkspaceState } from './workspace';

export type { Step } from '../../protocol/live';

/** A step does not fit the state; the state is unchanged. `reason` is a sentence without its full stop. */
export class StepMisfit extends Error {
  override name = 'StepMisfit';

  constructor(
    readonly step: Step,
    readonly reason: string,
  ) {
    super(reason);
  }
}

/** A step of an unknown kind: the server is newer than the page. */
export class StepUnknown extends Error {
  override name = 'StepUnknown';
}

/**
 * Why a step does not fit; null if it does.
 *
 * Throws StepUnknown: this page does not know its kind.
 */
export function misfit(step: Step, workspace: WorkspaceState): string | null {
  switch (step.k) {
    case 'node+':
    case 'node-':
      return nodeMisfit(step, workspace);
    case 'node=':
      return nodeFieldsMisfit(step, workspace);
    case 'edge+':
    case 'edge-':
      return edgeMisfit(step, workspace);
    case 'edge=':
      return edgeFieldsMisfit(step, workspace);
    case 'text':
      return textMisfit(step, workspace.text);
    case 'type': {
      const now = definitionOf(workspace.types, step.id) ?? null;
      return same(now, step.v[0]) ? null : `the type '${step.id}' has been changed since`;
    }
    case 'name':
    case 'eol':
      if (workspace[step.k] === step.v[0]) return null;
      return `the ${step.k === 'name' ? 'name' : 'line end'} has been changed since`;
    default:
      throw unknown(step);
  }
}

/** Changes the workspace; the step was checked before. Throws as `misfit`. */
export function write(step: Step, workspace: WorkspaceState): void {
  switch (step.k) {
    case 'node+':
      workspace.addNode(step.id, { ...step.n, birth: step.b } as NodeRecord);
      break;
    case 'node-':
      workspace.removeNode(step.id);
      break;
    case 'node=':
      workspace.setNode(step.id, newValues(step.v));
      break;
    case 'edge+':
      workspace.addEdge(step.id, { ...step.e, birth: step.b, source: step.s, target: step.t } as EdgeRecord);
      break;
    case 'edge-':
      workspace.removeEdge(step.id);
      break;
    case 'edge=':
      workspace.setEdge(step.id, newValues(step.v));
      break;
    case 'text':
      workspace.text = applyTo(workspace.text, step.c);
      break;
    case 'type':
      workspace.setType(step.id, step.v[1]);
      break;
    case 'name':
    case 'eol':
      workspace[step.k] = step.v[1];
      break;
    default:
      throw unknown(step);
  }
}

/**
 * Checks and applies steps, in order; all or none.
 *
 * Throws StepMisfit: one does not fit the state after those before it; nothing has changed. Throws StepUnknown alike.
 */
export function apply(steps: readonly Step[], workspace: WorkspaceState): void {
  const done: Step[] = [];
  try {
    for (const step of steps) {
      const reason = misfit(step, workspace);
      if (reason !== null) throw new StepMisfit(step, reason);
      write(step, workspace);
      done.push(step);
    }
  } catch (error) {
    takeBack(done, workspace);
    throw error;
  }
}

/** The inverse step. Throws as `misfit`. */
export function inverse(step: Step): Step {
  switch (step.k) {
    case 'node+':
      return { ...step, k: 'node-' };
    case 'node-':
      return { ...step, k: 'node+' };
    case 'edge+':
      return { ...step, k: 'edge-' };
    case 'edge-':
      return { ...step, k: 'edge+' };
    case 'node=':
      return { ...step, v: swapped(step.v), ...(step.pb && { pb: [step.pb[1], step.pb[0]] }) };
    case 'edge=': {
      // A step of ends says the births of both; the type of the wire says so of the new ones alone.
      const births = step.eb as [[number, number], [number, number]] | undefined;
      return { ...step, v: swapped(step.v), ...(births && { eb: [births[1], births[0]] }) };
    }
    case 'text':
      return inverseText(step);
    case 'type':
      return { ...step, v: [step.v[1], step.v[0]] };
    case 'name':
    case 'eol':
      return { ...step, v: [step.v[1], step.v[0]] };
    default:
      throw unknown(step);
  }
}

/** Undoes steps that were applied, newest first. */
export function takeBack(steps: readonly Step[], workspace: WorkspaceState): void {
  for (const step of steps.toReversed()) write(inverse(step), workspace);
}

type Pairs = { [field: string]: [unknown, unknown] };

function newValues(pairs: Pairs): [string, never][] {
  return Object.entries(pairs).map(([field, [, value]]) => [field, value as never]);
}

function swapped(pairs: Pairs): Pairs {
  return Object.fromEntries(Object.entries(pairs).map(([field, [old, value]]) => [field, [value, old]]));
}

function unknown(step: never): StepUnknown {
  return new StepUnknown(`this page does not know steps of kind '${(step as Step).k}'`);
}
