/** Grouping and ungrouping nodes; nothing moves on the screen. Pure. */
import type { Operation } from '../../protocol/live';
import type { DiagramNode } from '../../protocol/types';
import type { Refusal } from './connect';
import { FreeIds } from './ids';
import { lockRefusal } from './locks';
import type { Made } from './place';
import type { Scene } from './scene';

/** Makes a group around nodes of one parent. */
export function groupTogether(scene: Scene, selected: Iterable<string>): Made | Refusal {
  const ids = scene.outermost(selected);
  if (ids.length === 0) return { refusal: 'Nothing was grouped', advice: 'Select the nodes to group first.' };
  const parents = new Set(ids.map((id) => scene.nodes.get(id)?.parent ?? null));
  if (parents.size > 1)
    return {
      refusal: 'Nothing was grouped: the nodes stand in different groups',
      advice: 'Move them into the same group, or out of all groups, first.',
    };
  const refusal = lockRefusal(scene, ids, 'Nothing was grouped');
  if (refusal) return refusal;
  const id = new FreeIds(scene.diagram.nodes).forNode('Group', 'group');
  return { id, operations: [{ op: 'group_nodes', id, label: 'Group', ids }] };
}

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

/** Moves nodes into a group, or out of every group. */
export function moveTo(
  scene: Scene,
  selected: Iterable<string>,
  group: string | null,
): Operation[] | Refusal {
  const ids = scene.outermost(selected).filter((id) => (scene.nodes.get(id)?.parent ?? null) !== group);
  const refusal = lockRefusal(scene, group === null ? ids : [...ids, group], 'Nothing was moved');
  if (refusal) return refusal;
  return ids.length === 0 ? [] : [{ op: 'move_to_group', ids, group }];
}

/** The groups that nodes can be moved into: not themselves, no descendants of them, nothing locked. */
export function groupsFor(scene: Scene, selected: Iterable<string>): DiagramNode[] {
  const ids = scene.outermost(selected);
  const own = new Set(ids.flatMap((id) => [id, ...scene.contentsOf(id)]));
  return scene.diagram.nodes.filter(
    ({ id, type }) => type === 'group' && !own.has(id) && !scene.isLocked(id),
  );
}
