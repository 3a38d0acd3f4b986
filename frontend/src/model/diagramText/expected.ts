/**
 * A diagram as it will be once operations are carried out that are on their way: what they add has no place yet. Only what
 * lines can say is looked at. Pure.
 */
import type { Operation, OperationOf } from '../../protocol/live';
import type { Diagram, DiagramEdge, DiagramNode } from '../../protocol/types';
import { asType } from '../core/customTypes';
import { add, byId, type Draft } from '../gestures/making';

type Change<K extends Operation['op']> = (draft: Draft, operation: OperationOf<K>) => void;

const CHANGES: { [K in Operation['op']]?: Change<K> } = {
  add_node: (draft, operation) => add(operation, draft),
  add_edge: (draft, operation) => add(operation, draft),
  update_node: (draft, { id, type, label, technology }) =>
    changeNode(draft, id, {
      ...(type && { custom_type: undefined, custom: undefined, ...asType(type, draft.types) }),
      ...(label && { label }),
      ...(technology !== undefined && { technology: technology ?? '' }),
    }),
  move_to_group: (draft, { ids, group }) => {
    for (const id of ids) changeNode(draft, id, { parent: group });
  },
  delete_nodes: (draft, { ids }) => deleteNodes(draft, new Set(ids)),
  update_edge: (draft, { id, label, kind, direction }) =>
    changeEdge(draft, id, {
      ...(label !== undefined && { label: label ?? '' }),
      ...(kind && { kind }),
      ...(direction && { direction }),
    }),
  rewire_edge: (draft, { id, new_source, new_target }) =>
    changeEdge(draft, id, {
      ...(new_source && { source: new_source }),
      ...(new_target && { target: new_target }),
    }),
  delete_edge: (draft, { id }) => {
    draft.edges.delete(id ?? '');
  },
};

/** In steps as many as there are nodes, connections and operations. */
export function expected(diagram: Diagram, operations: readonly Operation[]): Diagram {
  const draft = { nodes: byId(diagram.nodes), edges: byId(diagram.edges), types: diagram.types };
  for (const operation of operations)
    (CHANGES[operation.op] as Change<Operation['op']> | undefined)?.(draft, operation);
  const edges = [...draft.edges.values()];
  return {
    ...diagram,
    nodes: [...draft.nodes.values()],
    edges: edges.filter(({ source, target }) => draft.nodes.has(source) && draft.nodes.has(target)),
  };
}

function changeNode({ nodes }: Draft, id: string, fields: Partial<DiagramNode>): void {
  const node = nodes.get(id);
  if (node) nodes.set(id, { ...node, ...fields });
}

function changeEdge({ edges }: Draft, id: string | null | undefined, fields: Partial<DiagramEdge>): void {
  const edge = edges.get(id ?? '');
  if (edge) edges.set(edge.id, { ...edge, ...fields });
}

/** What a deleted group holds moves up. */
function deleteNodes({ nodes, edges }: Draft, gone: ReadonlySet<string>): void {
  for (const node of nodes.values()) {
    let parent = node.parent;
    while (parent !== null && gone.has(parent)) parent = nodes.get(parent)?.parent ?? null;
    if (parent !== node.parent) nodes.set(node.id, { ...node, parent });
  }
  for (const id of gone) nodes.delete(id);
  for (const { id, source, target } of edges.values())
    if (gone.has(source) || gone.has(target)) edges.delete(id);
}
