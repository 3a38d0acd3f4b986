/** Ghost cards and frames: new ones, and copies of those that would move. */
import { memo } from 'react';
import type { GhostNode } from '../../../model/drawing/ghostDrawing';
import { TypeTile, tintOf } from '../../drawing/TypeTile';

export const GhostNodes = memo(function GhostNodes({
  nodes,
  isFar,
}: {
  nodes: readonly GhostNode[];
  isFar: boolean;
}) {
  return nodes.map((ghost) => <Ghost key={ghost.node.id} ghost={ghost} isFar={isFar} />);
});

function Ghost({ ghost: { node, box, isFrame, isThere }, isFar }: { ghost: GhostNode; isFar: boolean }) {
  const classes = ['ghost-node', isFrame && 'frame', isFar && 'far', isThere ? 'moved' : 'new'];
  return (
    <div
      className={classes.filter(Boolean).join(' ')}
      data-id={node.id}
      data-type={node.type}
      style={{
        ...tintOf(node.type),
        transform: `translate(${box.x}px, ${box.y}px)`,
        width: box.width,
        height: box.height,
      }}
    >
      {!isFar && !isFrame && <TypeTile type={node.type} />}
      {!isFar && (
        <span className="node-text">
          <span className={isFrame ? 'group-title' : 'node-label'}>{node.label}</span>
          {node.technology && <span className="node-technology">{node.technology}</span>}
        </span>
      )}
      <span className="ghost-sign">{isThere ? '→' : '+'}</span>
    </div>
  );
}
