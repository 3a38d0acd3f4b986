/**
 * Converts a drawing to nodes and edges of React Flow.
 *
 * Everything is placed absolutely, groups below edges and edges below nodes, exactly as `model/drawing/drawing`
 * decided. Sizes, `measured` and `handles` come from there too: nothing waits for the browser to measure. An element
 * keeps its identity as long as it looks the same, so that only changes are rendered.
 */
import { type Edge, type Node, Position } from '@xyflow/react';
import { describeEdge, describeNode } from '../../model/drawing/ariaLabels';
import { type Drawing, type DrawnEdge, type DrawnNode, isFrame } from '../../model/drawing/drawing';
import type { Selection } from '../context/uiState';
import type { Mark, Marks } from '../context/useWorkspaceView';

export type FlowNode = Node<{ drawn: DrawnNode; mark: Mark | null }, 'card' | 'group-frame'>;
export type FlowEdge = Edge<{ drawn: DrawnEdge; isNear: boolean; mark: Mark | null }, 'line'>;

const GROUP_LEVEL = -100;
const NODE_LEVEL = 10;

interface Known<T> {
  key: string;
  element: T;
}
const nodesMade = new WeakMap<DrawnNode, Known<FlowNode>>();
const edgesMade = new WeakMap<DrawnEdge, Known<FlowEdge>>();

/** @param active the node that the Tab key focuses */
export function flowNodes(
  drawing: Drawing,
  { nodes }: Selection,
  marks: Marks | null,
  active: string | null,
): FlowNode[] {
  const count = drawing.nodes.length;
  return drawing.nodes.map((drawn, at) => {
    const { id } = drawn.node;
    const selected = nodes.has(id);
    const mark = marks?.nodes.get(id) ?? null;
    const key = `${selected} ${mark} ${id === active} ${at} ${count}`;
    const known = nodesMade.get(drawn);
    if (known?.key === key) return known.element;
    const element = flowNode(drawn, selected, mark, id === active);
    element.ariaLabel = describeNode(drawn, { at: at + 1, count }, mark);
    nodesMade.set(drawn, { key, element });
    return element;
  });
}

function flowNode(drawn: DrawnNode, selected: boolean, mark: Mark | null, isActive: boolean): FlowNode {
  const { node, box, depth } = drawn;
  const { width, height } = box;
  const isOuter = isFrame(drawn);
  const handle = { x: width / 2, width: 1, height: 1 };
  return {
    id: node.id,
    type: isOuter ? 'group-frame' : 'card',
    // React Flow takes pointer events only where it selects or drags itself.
    style: { pointerEvents: 'all' },
    position: { x: box.x, y: box.y },
    width,
    height,
    measured: { width, height },
    handles: [
      { ...handle, type: 'target', position: Position.Top, y: 0 },
      { ...handle, type: 'source', position: Position.Bottom, y: height },
    ],
    zIndex: isOuter ? GROUP_LEVEL + depth : NODE_LEVEL,
    selected,
    data: { drawn, mark },
    ariaRole: 'group',
    domAttributes: {
      'aria-roledescription': node.type === 'group' ? 'group' : 'node',
      ...({ tabIndex: isActive ? 0 : -1 } as object),
    },
  };
}

export function flowEdges(drawing: Drawing, { nodes, edges }: Selection, marks: Marks | null): FlowEdge[] {
  const labels = new Map(drawing.nodes.map(({ node }) => [node.id, node.label]));
  const labelOf = (id: string): string => labels.get(id) ?? id;
  return drawing.edges.map((drawn) => {
    const { id, source, target } = drawn.edge;
    const selected = edges.has(id);
    const isNear = nodes.has(source) || nodes.has(target);
    const mark = marks?.edges.get(id) ?? null;
    const ends = [labelOf(source), labelOf(target)] as const;
    const key = `${selected} ${isNear} ${mark} ${ends[0]} ${ends[1]}`;
    const known = edgesMade.get(drawn);
    if (known?.key === key) return known.element;
    const element: FlowEdge = {
      id,
      source,
      target,
      type: 'line',
      zIndex: selected || isNear ? 1 : 0,
      selected,
      data: { drawn, isNear, mark },
      ariaRole: 'group',
      ariaLabel: describeEdge(drawn.edge, ...ends, mark),
      domAttributes: { ...({ tabIndex: -1 } as object), 'aria-roledescription': 'connection' },
    };
    edgesMade.set(drawn, { key, element });
    return element;
  });
}
