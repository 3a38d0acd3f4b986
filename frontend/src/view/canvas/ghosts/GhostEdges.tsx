/** Ghost edges, with their arrow heads and labels. */
import { memo, useMemo } from 'react';
import type { Drawing } from '../../../model/drawing/drawing';
import { type GhostDrawing, type GhostEdge, SIGN_WIDTH } from '../../../model/drawing/ghostDrawing';
import type { MeasureText } from '../../../model/drawing/labels';
import { labelsAt } from '../../../model/drawing/legibleLabels';
import { pathAlong, startLineShapes } from '../../../model/drawing/shapes/lineShapes';
import { tintOf } from '../../drawing/TypeTile';
import { letterWidth, textWidth } from '../../drawing/textWidth';
import { useCanvasState } from '../canvasState';

startLineShapes();

export const GhostEdges = memo(function GhostEdges({
  edges,
  isFar,
}: {
  edges: readonly GhostEdge[];
  isFar: boolean;
}) {
  return edges.map(({ edge, points, isThere }) => {
    const path = isFar ? `M${points.map(({ x, y }) => `${x},${y}`).join('L')}` : pathAlong(edge, points);
    const own = edge.color ? `url(#arrow-${edge.color})` : 'url(#ghost-head)';
    const head = isThere ? 'url(#ghost-head-moved)' : own;
    return (
      <path
        key={edge.id}
        className={`ghost-edge${isThere ? ' moved' : ''}`}
        data-id={edge.id}
        style={edge.color && !isThere ? tintOf(edge.color, '--ghost') : undefined}
        d={path}
        markerEnd={edge.direction === 'none' ? undefined : head}
        markerStart={edge.direction === 'both' ? head : undefined}
      />
    );
  });
});

/** Browsers round the widths of letters. */
const ROUNDING = 8;

const withSign: MeasureText = (text) => textWidth(text) + SIGN_WIDTH;

/** The sign of each line, with its label where that has a free place. */
export const GhostLabels = memo(function GhostLabels({
  drawn: { nodes, edges },
  drawing,
}: {
  drawn: GhostDrawing;
  drawing: Drawing;
}) {
  const step = useCanvasState((state) => state.step);
  const areShown = useCanvasState((state) => state.areLabelsShown);
  const others = useCanvasState((state) => state.labels);
  const places = useMemo(() => {
    const all = { ...drawing, nodes: [...drawing.nodes, ...nodes], edges: [...edges] };
    return labelsAt(all, step, withSign, letterWidth, others?.values());
  }, [drawing, nodes, edges, step, others]);
  return edges.map(({ edge, label, isThere }) => {
    const place = places.get(edge.id);
    const isNamed = place !== undefined && (areShown || place.isFree);
    const { x, y, shape } = place ?? label;
    return (
      <span
        key={edge.id}
        className={`ghost-label${isThere ? ' moved' : ''}${isNamed ? '' : ' bare'}`}
        style={{
          transform: `translate(-50%, -50%) translate(${x}px, ${y}px) scale(var(--enlarged))`,
          maxWidth: shape.width + ROUNDING,
        }}
      >
        <span className="ghost-sign">{isThere ? '→' : '+'}</span>
        {isNamed && <span className="ghost-label-text">{edge.label}</span>}
      </span>
    );
  });
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
