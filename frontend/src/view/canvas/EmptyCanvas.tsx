/** The placeholder of an empty canvas. Drops pass through to the canvas. */
import { Panel } from '@xyflow/react';
import { Shapes } from 'lucide-react';
import { useEditorContext } from '../context/EditorContext';
import { Notice } from '../ui/Notice';

export function EmptyCanvas() {
  const { access } = useEditorContext();
  return (
    <Panel position="top-center" className="canvas-empty">
      <Notice
        icon={Shapes}
        title="The diagram is empty"
        advice={
          access.isWritable
            ? 'Drag a node type here, or press /'
            : 'Nodes that others add show up here by themselves.'
        }
      />
    </Panel>
  );
}
