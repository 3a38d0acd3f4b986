/** When steps on edges fit: add, delete, set fields (ends included). */
import type { EdgeFieldsStep, EdgeStep } from '../../protocol/live';
import { type Fields, fieldOf, propertyKey, same } from './values';
import type { WorkspaceState } from './workspace';

/** Adding: the id is free, both ends exist, no equal edge. Deleting: the same incarnation, unchanged. */
export function edgeMisfit(step: EdgeStep, workspace: WorkspaceState): string | null {
  if (step.k === 'edge-') return removalMisfit(step, workspace);
  if (workspace.edges.has(step.id)) return `the id '${step.id}' is taken`;
  return (
    endMisfit(workspace, step.s, step.eb[0]) ??
    endMisfit(workspace, step.t, step.eb[1]) ??
    equalMisfit(workspace, step.s, step.t, step.e as Fields)
  );
}

function removalMisfit({ id, b, s, t, e }: EdgeStep, workspace: WorkspaceState): string | null {
  const now = workspace.edges.get(id);
  if (now?.birth !== b) return `the edge '${id}' is gone`;
  const isSame = same(now, { ...e, birth: b, source: s, target: t });
  return isSame ? null : `the edge '${id}' has been changed since`;
}

/** The same incarnation, every field as expected, new ends exist, no equal edge. */
export function edgeFieldsMisfit(step: EdgeFieldsStep, workspace: WorkspaceState): string | null {
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
