/** Deleting the selection: what is deleted with it, what is asked first, what forbids it. Pure. */
import type { Operation } from '../../protocol/live';
import type { DiagramNode } from '../../protocol/types';
import type { Refusal } from './connect';
import { lockRefusal } from './locks';
import type { Scene } from './scene';

/** The maximum number of ids in one operation. */
const MAX_IDS = 500;

/** Groups to be deleted whose contents are not, and these contents. */
export interface GroupsWithContents {
  groups: DiagramNode[];
  contents: DiagramNode[];
}

export function groupsWithContents(scene: Scene, ids: Iterable<string>): GroupsWithContents | null {
  const wanted = new Set(ids);
  const groups: DiagramNode[] = [];
  const contents = new Set<string>();
  for (const id of wanted) {
    const left = scene.contentsOf(id).filter((inner) => !wanted.has(inner));
    const node = scene.nodes.get(id);
    if (left.length === 0 || !node) continue;
    groups.push(node);
    for (const inner of left) contents.add(inner);
  }
  if (groups.length === 0) return null;
  return { groups, contents: [...contents].flatMap((id) => scene.nodes.get(id) ?? []) };
}

/** Deletes nodes and edges; the contents of a deleted group are deleted too, or move up and stay where they are. */
export function deletionOf(
  scene: Scene,
  nodes: Iterable<string>,
  edges: Iterable<string>,
  contents: 'delete' | 'up',
): Operation[] | Refusal {
  const wanted = [...nodes].filter((id) => scene.nodes.has(id));
  const named = contents === 'delete' ? scene.outermost(wanted) : wanted;
  const going = new Set(contents === 'delete' ? named.flatMap((id) => [id, ...scene.contentsOf(id)]) : named);
  const cut = scene.diagram.edges.filter(({ source, target }) => going.has(source) || going.has(target));
  const lone = [...edges].flatMap((id) => scene.edges.get(id) ?? []).filter((edge) => !cut.includes(edge));
  const touched = [...going, ...[...cut, ...lone].flatMap(({ source, target }) => [source, target])];
  const lifted = contents === 'up' ? wanted.flatMap((id) => scene.childrenOf(id)) : [];
  const refusal = lockRefusal(scene, [...touched, ...lifted], 'Nothing was deleted');
  if (refusal) return refusal;
  const operations: Operation[] = lone.map(({ id }) => ({ op: 'delete_edge', id }));
  for (let at = 0; at < named.length; at += MAX_IDS)
    operations.push({ op: 'delete_nodes', ids: named.slice(at, at + MAX_IDS), children: contents });
  return operations;
}
