/** React Flow as its own first example has it, with the nodes and lines that `drag.bench.ts` gives it. */
import '@xyflow/react/dist/style.css';
import { type Edge, MarkerType, type Node, ReactFlow, useEdgesState, useNodesState, type Viewport } from '@xyflow/react';
import { createRoot } from 'react-dom/client';

export interface Given {
  nodes: readonly { id: string; label: string; position: { x: number; y: number } }[];
  edges: readonly { id: string; source: string; target: string; label: string }[];
  viewport: Viewport;
  /** Whether only what is in sight is rendered, as on our canvas from some size on. */
  isCulled: boolean;
}

const { nodes, edges, viewport, isCulled } = (window as unknown as { given: Given }).given;
const NODES: Node[] = nodes.map(({ id, label, position }) => ({
  id,
  position,
  data: { label },
  style: { width: 180, height: 72 },
}));
const EDGES: Edge[] = edges.map((edge) => ({
  ...edge,
  type: 'smoothstep',
  markerEnd: { type: MarkerType.ArrowClosed },
}));

function Flow() {
  const [shown, , onNodesChange] = useNodesState(NODES);
  const [lines, , onEdgesChange] = useEdgesState(EDGES);
  return (
    <ReactFlow
      nodes={shown}
      edges={lines}
      onNodesChange={onNodesChange}
      onEdgesChange={onEdgesChange}
      defaultViewport={viewport}
      minZoom={0.05}
      onlyRenderVisibleElements={isCulled}
    />
  );
}

createRoot(document.getElementById('root') as HTMLElement).render(<Flow />);
