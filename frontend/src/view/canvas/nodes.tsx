/** How nodes and groups look. */
import { Handle, type NodeProps, Position } from '@xyflow/react';
import { Lock } from 'lucide-react';
import { memo } from 'react';
import type { FlowNode } from './flow';
import { TypeTile, tintOf } from './TypeTile';

/** Lines end where the drawing says; the library only wants to see that there is something to hold on to. */
function Anchors() {
  return (
    <>
      <Handle type="target" position={Position.Top} isConnectable={false} />
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
    </>
  );
}

function LockMark() {
  return (
    <span className="lock-mark" title="Locked">
      <Lock size={12} strokeWidth={2.4} aria-hidden="true" />
    </span>
  );
}

export const NodeCard = memo(function NodeCard({ data, selected }: NodeProps<FlowNode>) {
  const { node, isLocked } = data;
  return (
    <div className={`node-card${selected ? ' selected' : ''}`} data-type={node.type}>
      <Anchors />
      <TypeTile type={node.type} />
      <span className="node-text">
        <span className="node-label" title={node.label}>
          {node.label}
        </span>
        {node.technology && (
          <span className="node-technology" title={node.technology}>
            {node.technology}
          </span>
        )}
      </span>
      {isLocked && <LockMark />}
    </div>
  );
});

export const GroupFrame = memo(function GroupFrame({ data, selected }: NodeProps<FlowNode>) {
  const { node, isLocked } = data;
  return (
    <div className={`group-frame${selected ? ' selected' : ''}`} style={tintOf(node.type)}>
      <Anchors />
      <span className="group-title" title={node.label}>
        {node.label}
        {node.technology && <span className="group-technology">{node.technology}</span>}
      </span>
      {isLocked && <LockMark />}
    </div>
  );
});
