/** How an edge looks: its line by kind, its arrow heads by direction, its label. */
import { EdgeLabelRenderer, type EdgeProps } from '@xyflow/react';
import { memo } from 'react';
import { roundedPath } from '../../model/polyline';
import type { FlowEdge } from './flow';

export const EdgeLine = memo(function EdgeLine({ data, selected = false }: EdgeProps<FlowEdge>) {
  if (!data) return null;
  const { edge, points, label } = data;
  const head = selected ? 'url(#arrow-near)' : 'url(#arrow)';
  return (
    <>
      <path
        className={`edge-line ${edge.kind}${selected ? ' near' : ''}`}
        d={roundedPath(points)}
        markerEnd={edge.direction === 'none' ? undefined : head}
        markerStart={edge.direction === 'both' ? head : undefined}
      />
      {label && (
        <EdgeLabelRenderer>
          <span
            className={`edge-label${selected ? ' near' : ''}${label.shape.lines === 1 ? ' single' : ''}`}
            style={{
              transform: `translate(-50%, -50%) translate(${label.x}px, ${label.y}px)`,
              maxWidth: label.shape.width,
            }}
          >
            {edge.label}
          </span>
        </EdgeLabelRenderer>
      )}
    </>
  );
});

/** The arrow heads that lines refer to; drawn once for the canvas. */
export function ArrowHeads() {
  return (
    <svg className="arrow-heads" aria-hidden="true" focusable="false">
      <defs>
        {['arrow', 'arrow-near'].map((id) => (
          <marker
            key={id}
            id={id}
            className={id}
            viewBox="0 0 10 10"
            refX="9"
            refY="5"
            markerWidth="9"
            markerHeight="9"
            markerUnits="userSpaceOnUse"
            orient="auto-start-reverse"
          >
            <path d="M0.5 0.8L9.5 5L0.5 9.2Z" />
          </marker>
        ))}
      </defs>
    </svg>
  );
}
