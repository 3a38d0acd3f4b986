/** When steps on nodes fit: add, delete, set fields (position and parent included). */
import type { NodeFieldsStep, NodeStep } from '../../protocol/live';
import { type Fields, fieldOf, propertyKey, same } from './values';
import type { WorkspaceState } from './workspace';

/**
 * Adding: the id is free and the group exists. Deleting: the same incarnation, unchanged, with no edges or children.
 */
export function nodeMisfit(step: NodeStep, workspace: WorkspaceState): string | null {
  if (step.k === 'node-') return removalMisfit(step, workspace);
  if (workspace.nodes.has(step.id)) return `the id '${step.id}' is taken`;
  return parentMisfit(workspace, (step.n as Fields).parent as string | undefined, step.pb);
}

function removalMisfit({ id, b, n }: NodeStep, workspace: WorkspaceState): string | null {
  const now = workspace.nodes.get(id);
  if (now?.birth !== b) return `the node '${id}' is gone`;
  if (workspace.hasEdges(id)) return `the node '${id}' has edges`;
  if (workspace.children(id).size > 0) return `the group '${id}' is not empty`;
  return same(now, { ...n, birth: b }) ? null : `the node '${id}' has been changed since`;
}

/** The same incarnation, every field as expected, no cycle of groups. */
export function nodeFieldsMisfit(step: NodeFieldsStep, workspace: WorkspaceState): string | null {
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
