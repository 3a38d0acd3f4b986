/** How an edge looks: its line by kind, its arrow heads by direction, its label. */
import { EdgeLabelRenderer, type EdgeProps } from '@xyflow/react';
import { memo } from 'react';
import { pointAt } from '../../model/drawing/labels';
import { lengthOf, roundedPath } from '../../model/drawing/polyline';
import { useUiState } from '../context/EditorContext';
import { InlineName } from '../gestures/InlineName';
import { useCanvas, useCanvasState } from './canvasState';
import type { FlowEdge } from './flow';
import { MarkSign } from './nodes';

export const EdgeLine = memo(function EdgeLine({ id, data, selected = false }: EdgeProps<FlowEdge>) {
  const { isFar } = useCanvas();
  const isRenaming = useUiState(({ renaming }) => renaming?.kind === 'edge' && renaming.id === id);
  const moving = useCanvasState((state) => state.movingLines?.get(id));
  if (!data) return null;
  const { isNear, mark } = data;
  const drawn = moving ?? data.drawn;
  const { edge, points, label } = drawn;
  const isLit = selected || isNear;
  const path = isFar ? `M${points.map(({ x, y }) => `${x},${y}`).join('L')}` : roundedPath(points);
  const classes = [edge.kind, isLit && 'near', selected && 'selected', mark && `is-${mark}`];
  const head = isFar ? undefined : isLit ? 'url(#arrow-near)' : 'url(#arrow)';
  return (
    <>
      {!isFar && <path className="edge-hit" d={path} />}
      <path
        className={['edge-line', ...classes].filter(Boolean).join(' ')}
        d={path}
        markerEnd={edge.direction === 'none' ? undefined : head}
        markerStart={edge.direction === 'both' ? head : undefined}
      />
      {(isRenaming || (!isFar && (label || mark))) && (
        <EdgeLabelRenderer>
          <LabelBox drawn={drawn} isRenaming={isRenaming} mark={mark} isLit={isLit} isSelected={selected} />
        </EdgeLabelRenderer>
      )}
    </>
  );
});

type LabelProps = Pick<NonNullable<FlowEdge['data']>, 'drawn' | 'mark'> & {
  isRenaming: boolean;
  isLit: boolean;
  isSelected: boolean;
};

function LabelBox({ drawn, isRenaming, mark, isLit, isSelected }: LabelProps) {
  const { edge, points, label } = drawn;
  const { x, y } = label ?? pointAt(points, lengthOf(points) / 2);
  const classes = [
    'edge-label nopan',
    isLit && 'near',
    isSelected && 'selected',
    isRenaming && 'renaming',
    label?.shape.lines === 1 && 'single',
    mark && `is-${mark}`,
  ];
  return (
    <span
      className={classes.filter(Boolean).join(' ')}
      data-edge={edge.id}
      style={{
        transform: `translate(-50%, -50%) translate(${x}px, ${y}px)`,
        ...(isRenaming || !label ? {} : { maxWidth: label.shape.width + (mark ? 20 : 0) }),
      }}
    >
      {mark && <MarkSign mark={mark} />}
      {isRenaming ? <InlineName kind="edge" id={edge.id} name={edge.label} /> : edge.label}
    </span>
  );
}

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
