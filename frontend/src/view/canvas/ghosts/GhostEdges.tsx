/** Ghost edges, with their arrow heads and labels. */
import { memo } from 'react';
import type { GhostEdge } from '../../../model/drawing/ghostDrawing';
import { roundedPath } from '../../../model/drawing/polyline';

export const GhostEdges = memo(function GhostEdges({
  edges,
  isFar,
}: {
  edges: readonly GhostEdge[];
  isFar: boolean;
}) {
  return edges.map(({ edge, points, isThere }) => {
    const path = isFar ? `M${points.map(({ x, y }) => `${x},${y}`).join('L')}` : roundedPath(points);
    const head = isThere ? 'url(#ghost-head-moved)' : 'url(#ghost-head)';
    return (
      <path
        key={edge.id}
        className={`ghost-edge${isThere ? ' moved' : ''}`}
        data-id={edge.id}
        d={path}
        markerEnd={edge.direction === 'none' ? undefined : head}
        markerStart={edge.direction === 'both' ? head : undefined}
      />
    );
  });
});

/** The width of the sign beside a label, in pixels. */
const SIGN = 28;

/** The sign of each line, with its label where it has one. */
export const GhostLabels = memo(function GhostLabels({
  edges,
  areNamed,
}: {
  edges: readonly GhostEdge[];
  areNamed: boolean;
}) {
  return edges.map(({ edge, label, isThere }) => (
    <span
      key={edge.id}
      className={`ghost-label${isThere ? ' moved' : ''}${edge.label && areNamed ? '' : ' bare'}`}
      style={{
        transform: `translate(-50%, -50%) translate(${label.x}px, ${label.y}px) scale(var(--enlarged))`,
        maxWidth: label.shape.width + SIGN,
      }}
    >
      <span className="ghost-sign">{isThere ? '→' : '+'}</span>
      {edge.label && areNamed && <span className="ghost-label-text">{edge.label}</span>}
    </span>
  ));
});

export function GhostHeads() {
  return (
    <defs>
      {['ghost-head', 'ghost-head-moved'].map((id) => (
        <marker
          key={id}
          id={id}
          className={id}
          viewBox="0 0 10 10"
          refX="9"
          refY="5"
          markerWidth="10"
          markerHeight="10"
          markerUnits="userSpaceOnUse"
          orient="auto-start-reverse"
        >
          <path d="M0.5 0.8L9.5 5L0.5 9.2Z" />
        </marker>
      ))}
    </defs>
  );
}
