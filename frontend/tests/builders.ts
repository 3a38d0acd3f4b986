/** Nodes and edges with everything filled in but what a test speaks of. */
import type { DiagramEdge, DiagramNode } from '../src/protocol/types';

export function node(id: string, given: Partial<DiagramNode> = {}): DiagramNode {
  return {
    id,
    type: 'service',
    label: id,
    description: '',
    technology: '',
    notes: '',
    image: '',
    color: '',
    style: '',
    properties: {},
    position: { x: 0, y: 0 },
    size: null,
    parent: null,
    locked: false,
    ...given,
  };
}

export function edge(source: string, target: string, given: Partial<DiagramEdge> = {}): DiagramEdge {
  return {
    id: `${source}--${target}`,
    source,
    target,
    label: '',
    kind: 'sync',
    direction: 'forward',
    description: '',
    color: '',
    style: '',
    shape: '',
    properties: {},
    route: null,
    route_by: null,
    label_at: null,
    ...given,
  };
}
