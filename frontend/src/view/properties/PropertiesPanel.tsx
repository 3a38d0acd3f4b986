/** The properties of the selection: a node, an edge, several things, or the workspace. */
import '../styles/properties.css';
import { useMemo } from 'react';
import { Scene } from '../../model/gestures/scene';
import { useUiState } from '../context/EditorContext';
import { useWorkspaceView } from '../context/useWorkspaceView';
import { EdgeProperties } from './EdgeProperties';
import { NodeProperties } from './NodeProperties';
import { SeveralProperties } from './SeveralProperties';
import { WorkspaceNumbers } from './WorkspaceNumbers';

export function PropertiesPanel() {
  const { diagram } = useWorkspaceView();
  const selection = useUiState((state) => state.selection);
  const scene = useMemo(() => new Scene(diagram), [diagram]);
  const nodes = [...selection.nodes].flatMap((id) => scene.nodes.get(id) ?? []);
  const edges = [...selection.edges].flatMap((id) => scene.edges.get(id) ?? []);
  const [node] = nodes;
  const [edge] = edges;
  if (nodes.length + edges.length > 1) return <SeveralProperties nodes={nodes} edges={edges} scene={scene} />;
  // Keyed by the selection, so that each has fields of its own.
  if (node) return <NodeProperties key={node.id} node={node} scene={scene} />;
  if (edge) return <EdgeProperties key={edge.id} edge={edge} scene={scene} />;
  return <WorkspaceNumbers />;
}
