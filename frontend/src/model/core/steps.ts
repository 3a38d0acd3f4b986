/**
 * Steps: the smallest applied changes; resolved, exact, invertible. Twin of the server's `transform/steps/`.
 *
 * A step holds old and new values, so it can be checked against a state (`misfit`) and inverted without one. Checks are
 * structural only, and reasons are in the server's words. The wire form is the only form. Not here: how operations
 * become steps (`predict.ts`).
 */
import type { EdgeFieldsStep, EdgeStep, NodeFieldsStep, NodeStep, Step, TextStep } from '../../protocol/live';
import { applyTo, ChangesRefused, deletedBy, invert, stretches } from './changes';
import { definitionOf } from './customTypes';
import { type Fields, fieldOf, propertyKey, same } from './values';
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

/**
 * Adding: the id is free and the group exists. Deleting: the same incarnation, unchanged, with no edges or children.
 */
function nodeMisfit(step: NodeStep, workspace: WorkspaceState): string | null {
  if (step.k === 'node-') return nodeRemovalMisfit(step, workspace);
  if (workspace.nodes.has(step.id)) return `the id '${step.id}' is taken`;
  return parentMisfit(workspace, (step.n as Fields).parent as string | undefined, step.pb);
}

function nodeRemovalMisfit({ id, b, n }: NodeStep, workspace: WorkspaceState): string | null {
  const now = workspace.nodes.get(id);
  if (now?.birth !== b) return `the node '${id}' is gone`;
  if (workspace.hasEdges(id)) return `the node '${id}' has edges`;
  if (workspace.children(id).size > 0) return `the group '${id}' is not empty`;
  return same(now, { ...n, birth: b }) ? null : `the node '${id}' has been changed since`;
}

/** The same incarnation, every field as expected, no cycle of groups. */
function nodeFieldsMisfit(step: NodeFieldsStep, workspace: WorkspaceState): string | null {
  const { id, v: pairs } = step;
  const now = workspace.nodes.get(id);
  if (now?.birth !== step.b) return `the node '${id}' is gone`;
  for (const [field, [old]] of Object.entries(pairs))
    if (!same(fieldOf(now, field), old)) return `${named(field)} of '${id}' has been changed since`;
  if (Object.hasOwn(pairs, 'type') && now.type === 'group' && workspace.children(id).size > 0)
    return `the group '${id}' is not empty`;
  if (!Object.hasOwn(pairs, 'parent')) return null;
  const parent = pairs.parent?.[1] as string | null;
  const reason = parentMisfit(workspace, parent, step.pb?.[1]);
  if (reason !== null || parent === null) return reason;
  const isCircle = parent === id || workspace.ancestors(parent).includes(id);
  return isCircle ? `the group '${id}' would stand in itself` : null;
}

function parentMisfit(
  workspace: WorkspaceState,
  parent: string | null | undefined,
  birth: number | null | undefined,
): string | null {
  if (parent === null || parent === undefined) return null;
  const group = workspace.nodes.get(parent);
  if (group === undefined) return `the group '${parent}' is gone`;
  if (group.birth !== birth) return `the group '${parent}' is another one than before`;
  return group.type === 'group' ? null : `'${parent}' is no group any more`;
}

function named(field: string): string {
  const key = propertyKey(field);
  return key === null ? `the ${field}` : `the property '${key}'`;
}

/** Adding: the id is free, both ends exist, no equal edge. Deleting: the same incarnation, unchanged. */
function edgeMisfit(step: EdgeStep, workspace: WorkspaceState): string | null {
  if (step.k === 'edge-') return edgeRemovalMisfit(step, workspace);
  if (workspace.edges.has(step.id)) return `the id '${step.id}' is taken`;
  return (
    endMisfit(workspace, step.s, step.eb[0]) ??
    endMisfit(workspace, step.t, step.eb[1]) ??
    equalMisfit(workspace, step.s, step.t, step.e as Fields)
  );
}

function edgeRemovalMisfit({ id, b, s, t, e }: EdgeStep, workspace: WorkspaceState): string | null {
  const now = workspace.edges.get(id);
  if (now?.birth !== b) return `the edge '${id}' is gone`;
  const isSame = same(now, { ...e, birth: b, source: s, target: t });
  return isSame ? null : `the edge '${id}' has been changed since`;
}

/** The same incarnation, every field as expected, new ends exist, no equal edge. */
function edgeFieldsMisfit(step: EdgeFieldsStep, workspace: WorkspaceState): string | null {
  const { id, v: pairs, eb: births } = step;
  const now = workspace.edges.get(id);
  if (now?.birth !== step.b) return `the edge '${id}' is gone`;
  for (const [field, [old]] of Object.entries(pairs))
    if (!same(fieldOf(now, field), old)) return `the ${field} of edge '${id}' has been changed since`;
  const after: Record<string, unknown> = { ...now };
  for (const [field, [, value]] of Object.entries(pairs))
    if (propertyKey(field) === null) after[field] = value;
  const [source, target] = [after.source as string, after.target as string];
  if (births) {
    const reason = endMisfit(workspace, source, births[1][0]) ?? endMisfit(workspace, target, births[1][1]);
    if (reason !== null) return reason;
    if (source === target) return `the edge '${id}' would begin and end at '${source}'`;
  }
  const isAsBefore = !['source', 'target', 'label', 'kind'].some((field) => Object.hasOwn(pairs, field));
  return isAsBefore ? null : equalMisfit(workspace, source, target, after as Fields, id);
}

function endMisfit(workspace: WorkspaceState, id: string, birth: number): string | null {
  const node = workspace.nodes.get(id);
  if (node === undefined) return `the node '${id}' is gone`;
  return node.birth === birth ? null : `the node '${id}' is another one than before`;
}

function equalMisfit(
  workspace: WorkspaceState,
  source: string,
  target: string,
  fields: Fields,
  besides = '',
): string | null {
  const [label, kind] = [fields.label || '', fields.kind || 'sync'] as string[];
  const equal = workspace.equalEdge(source, target, label as string, kind as string, besides);
  return equal === null
    ? null
    : `the edge '${equal}' is the same: ${source} to ${target}, '${label}', ${kind}`;
}

/** A step on the document holds the text that it deletes, so that it can be checked and inverted by itself. */
function textMisfit(step: TextStep, text: string): string | null {
  try {
    if (same(deletedBy(text, step.c), step.d)) return null;
  } catch (error) {
    if (!(error instanceof ChangesRefused)) throw error;
  }
  return 'the text has been changed since';
}

/** The inverse step. */
function inverseText(step: TextStep): TextStep {
  const inserted = stretches(step.c).map((change) => change.inserted);
  return { k: 'text', c: invert(step.c, step.d), d: inserted };
}
