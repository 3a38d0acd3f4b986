/** Grouping nodes; nothing moves on the screen. Pure. Not here: dissolving groups, and what is moved between them (`ungroup.ts`). */
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
