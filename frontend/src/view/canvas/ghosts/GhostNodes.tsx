/** Ghost cards and frames: new ones, and copies of those that would move. */
import { memo } from 'react';
import { tintNameOf } from '../../../model/core/customTypes';
import { isFrame as isFrameOf } from '../../../model/drawing/drawing';
import type { GhostNode } from '../../../model/drawing/ghostDrawing';
import { TITLED_FROM } from '../../../model/drawing/legible';
import { isAnnotation } from '../../../protocol/types';
import { TypeTile, tintOf } from '../../drawing/TypeTile';
import { CardName, contentOf, noteOf } from '../CardText';
import { useCanvasState } from '../canvasState';

export const GhostNodes = memo(function GhostNodes({ nodes }: { nodes: readonly GhostNode[] }) {
  return nodes.map((ghost) => <Ghost key={ghost.node.id} ghost={ghost} />);
});

function Ghost({ ghost }: { ghost: GhostNode }) {
  const { node, box, isThere } = ghost;
  const isFrame = isFrameOf(ghost);
  const Tile = useCanvasState((state) => state.Tile) ?? TypeTile;
  const content = useCanvasState((state) => contentOf(ghost, state));
  const Written = useCanvasState((state) => content && isAnnotation(node.type) && state.Written);
  const isFar = useCanvasState(({ step }) => !content && !(isFrame && step >= TITLED_FROM));
  // From further away its title is one of those above everything (`FrameTitles`).
  const isTitled = useCanvasState(({ step }) => isFrame && step >= 1);
  const isBrief = content !== null && !content.hasIcon && !Written;
  const form = isFrame ? 'frame' : isBrief && 'brief';
  const classes = ['ghost-node', form, isFar && 'far', isThere ? 'moved' : 'new'];
  return (
    <div
      className={classes.filter(Boolean).join(' ')}
      data-id={node.id}
      data-type={node.type}
      style={{
        ...tintOf(tintNameOf(node)),
        transform: `translate(${box.x}px, ${box.y}px)`,
        width: box.width,
        height: box.height,
      }}
    >
      {Written && <Written drawn={{ node, box, isLocked: true }} isRenaming={false} />}
      {content?.hasIcon && !isFrame && !Written && <Tile {...node} />}
      {isTitled && (
        <span className="node-text">
          <span className="group-title" title={node.label}>
            {node.label}
          </span>
        </span>
      )}
      {content && !isFrame && !Written && (
        <span className="node-text">
          <CardName label={node.label} content={content} />
          {content.hasNote && (
            <span className="node-technology" title={noteOf(ghost)}>
              {noteOf(ghost)}
            </span>
          )}
        </span>
      )}
      <span className="ghost-sign">{isThere ? '→' : '+'}</span>
    </div>
  );
}
