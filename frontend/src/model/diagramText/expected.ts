/**
 * A diagram as it will be once operations are carried out that are on their way: what they add has no place yet. Only what
 * lines can say is looked at. Pure.
 */
import type { Operation, OperationOf } from '../../protocol/live';
import type { Diagram, DiagramEdge, DiagramNode } from '../../protocol/types';
import { asType } from '../core/customTypes';
import { withMade } from '../gestures/making';

type Change<K extends Operation['op']> = (diagram: Diagram, operation: OperationOf<K>) => Diagram;

const CHANGES: { [K in Operation['op']]?: Change<K> } = {
  add_node: added,
  add_edge: added,
  update_node: (diagram, { id, type, label, technology }) =>
    withNode(diagram, id, {
      ...(type && { custom_type: undefined, custom: undefined, ...asType(type, diagram.types) }),
      ...(label && { label }),
      ...(technology !== undefined && { technology: technology ?? '' }),
    }),
  move_to_group: (diagram, { ids, group }) =>
    ids.reduce((moved, id) => withNode(moved, id, { parent: group }), diagram),
  delete_nodes: (diagram, { ids }) => ids.reduce(without, diagram),
  update_edge: (diagram, { id, label, kind, direction }) =>
    withEdge(diagram, id, {
      ...(label !== undefined && { label: label ?? '' }),
      ...(kind && { kind }),
      ...(direction && { direction }),
    }),
  rewire_edge: (diagram, { id, new_source, new_target }) =>
    withEdge(diagram, id, {
      ...(new_source && { source: new_source }),
      ...(new_target && { target: new_target }),
    }),
  delete_edge: (diagram, { id }) => ({ ...diagram, edges: diagram.edges.filter((edge) => edge.id !== id) }),
};

export const expected = (diagram: Diagram, operations: readonly Operation[]): Diagram =>
  operations.reduce(
    (next, operation) =>
      (CHANGES[operation.op] as Change<Operation['op']> | undefined)?.(next, operation) ?? next,
    diagram,
  );

function added(diagram: Diagram, operation: Operation): Diagram {
  return withMade(diagram, { id: '', operations: [operation] });
}

function withNode(diagram: Diagram, wanted: string, fields: Partial<DiagramNode>): Diagram {
  const nodes = diagram.nodes.map((node) => (node.id === wanted ? { ...node, ...fields } : node));
  return { ...diagram, nodes };
}

function withEdge(
  diagram: Diagram,
  wanted: string | null | undefined,
  fields: Partial<DiagramEdge>,
): Diagram {
  const edges = diagram.edges.map((edge) => (edge.id === wanted ? { ...edge, ...fields } : edge));
  return { ...diagram, edges };
}

/** What a deleted group holds moves up. */
function without({ nodes, edges, ...rest }: Diagram, gone: string): Diagram {
  const parent = nodes.find(({ id }) => id === gone)?.parent ?? null;
  return {
    ...rest,
    nodes: nodes
      .filter(({ id }) => id !== gone)
      .map((node) => (node.parent === gone ? { ...node, parent } : node)),
    edges: edges.filter(({ source, target }) => source !== gone && target !== gone),
  };
}
