/**
 * From a drawing to the elements of the drawing library.
 *
 * Everything is placed absolutely, groups below edges and edges below nodes, so that what is drawn is exactly what
 * `model/drawing` decided. Sizes, `measured` included, come from there too: nothing waits for the browser to measure.
 * An element's data is the drawn thing itself, so that a selection draws anew only what it touches.
 */
import type { Edge, Node } from '@xyflow/react';
import type { Drawing, DrawnEdge, DrawnNode } from '../../model/drawing';
import { describeNode } from '../../model/kinds';

export type FlowNode = Node<DrawnNode, 'card' | 'group-frame'>;
export type FlowEdge = Edge<DrawnEdge, 'line'>;

const GROUP_LEVEL = -100;
const NODE_LEVEL = 10;

export function flowNodes(drawing: Drawing, selected: string | null): FlowNode[] {
  return drawing.nodes.map((drawn) => {
    const { node, box, depth, isLocked, connections } = drawn;
    const isGroup = node.type === 'group';
    const { width, height } = box;
    return {
      id: node.id,
      type: isGroup ? 'group-frame' : 'card',
      position: { x: box.x, y: box.y },
      width,
      height,
      measured: { width, height },
      zIndex: isGroup ? GROUP_LEVEL + depth : NODE_LEVEL,
      selected: node.id === selected,
      data: drawn,
      ariaLabel: describeNode(node, connections, isLocked),
      domAttributes: { 'aria-roledescription': isGroup ? 'group' : 'node' },
    };
  });
}

export function flowEdges(drawing: Drawing, selected: string | null): FlowEdge[] {
  return drawing.edges.map((drawn) => {
    const { id, source, target } = drawn.edge;
    const isNear = selected !== null && (source === selected || target === selected);
    return { id, source, target, type: 'line', zIndex: isNear ? 1 : 0, selected: isNear, data: drawn };
  });
}
