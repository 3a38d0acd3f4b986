/**
 * Dissolving groups, and moving nodes between groups. Pure.
 *
 * Apart from `group.ts`, since the first view can do without it.
 */
import type { Operation } from '../../protocol/live';
import type { DiagramNode } from '../../protocol/types';
import type { Refusal } from './connect';
import { movedInto, wayInto } from './landing';
import { lockRefusal } from './locks';
import type { Scene } from './scene';

/** Dissolves the selected groups; `ids` are their former children. */
export function ungroup(
  scene: Scene,
  selected: Iterable<string>,
): { ids: string[]; operations: Operation[] } | Refusal {
  const groups = [...selected].filter((id) => scene.nodes.get(id)?.type === 'group');
  if (groups.length === 0) return { refusal: 'Nothing was ungrouped', advice: 'Select a group first.' };
  const children = groups.flatMap((id) => scene.childrenOf(id));
  const refusal = lockRefusal(scene, [...groups, ...children], 'Nothing was ungrouped');
  if (refusal) return refusal;
  return {
    ids: children.filter((id) => !groups.includes(id)),
    operations: groups.map((id) => ({ op: 'ungroup_nodes', id })),
  };
}

/** Moves nodes into a group, where there is room in its frame; or out of every group, where nothing moves on the screen. */
export function moveTo(
  scene: Scene,
  selected: Iterable<string>,
  group: string | null,
): Operation[] | Refusal {
  const ids = scene.outermost(selected).filter((id) => (scene.nodes.get(id)?.parent ?? null) !== group);
  const refusal = lockRefusal(scene, group === null ? ids : [...ids, group], 'Nothing was moved');
  if (refusal) return refusal;
  if (ids.length === 0) return [];
  if (group === null) return [{ op: 'move_to_group', ids, group }];
  return movedInto(scene, ids, wayInto(scene, ids, group), group);
}

/** The groups that nodes can be moved into: not themselves, no descendants of them, nothing locked. */
export function groupsFor(scene: Scene, selected: Iterable<string>): DiagramNode[] {
  const ids = scene.outermost(selected);
  const own = new Set(ids.flatMap((id) => [id, ...scene.contentsOf(id)]));
  return scene.diagram.nodes.filter(
    ({ id, type }) => type === 'group' && !own.has(id) && !scene.isLocked(id),
  );
}
