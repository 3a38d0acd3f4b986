/** How an edge looks: its line by kind, its arrow heads by direction, its label. */
import { type EdgeProps, useStore } from '@xyflow/react';
import { memo, type ReactNode, useMemo, useState } from 'react';
import { createPortal } from 'react-dom';
import { type PlacedLabel, pointAt } from '../../model/drawing/labels';
import { lengthOf, roundedPath } from '../../model/drawing/polyline';
import { otherShapes } from '../../model/drawing/shapes/otherShapes';
import { OPERATION_FORMS } from '../../protocol/forms';
import type { DiagramEdge, Point } from '../../protocol/types';
import { useUiState } from '../context/EditorContext';
import type { Mark } from '../context/useWorkspaceView';
import { tintOf } from '../drawing/TypeTile';
import { InlineName } from '../gestures/InlineName';
import { useCanvas, useCanvasState } from './canvasState';
import type { FlowEdge } from './flow';
import { MarkSign } from './nodes';

export const EdgeLine = memo(function EdgeLine({ id, data, selected = false }: EdgeProps<FlowEdge>) {
  const { isFar } = useCanvas();
  const isRenaming = useUiState(({ renaming }) => renaming?.kind === 'edge' && renaming.id === id);
  const moving = useCanvasState((state) => state.movingLines?.get(id));
  const placed = useCanvasState((state) => state.labels?.get(id) ?? null);
  const areLabelsShown = useCanvasState((state) => state.areLabelsShown);
  const [isHovered, setIsHovered] = useState(false);
  if (!data) return null;
  const { isNear, mark } = data;
  const { edge, points, label } = moving ?? data.drawn;
  const isLit = selected || isNear;
  const path = isFar
    ? `M${points.map(({ x, y }) => `${x},${y}`).join('L')}`
    : (otherShapes.part?.pathAlong(edge, points) ?? roundedPath(points));
  const classes = [edge.kind, isLit && 'near', selected && 'selected', mark && `is-${mark}`];
  const head = isFar ? undefined : `url(#arrow-${isLit ? 'near' : edge.color})`;
  // What lies on something is shown to who asks for it, above everything.
  const isFree = placed?.isFree ?? false;
  const isAsked = isHovered || selected || areLabelsShown || isRenaming;
  const place = moving ? label : (placed ?? label);
  const isSeen = isRenaming || (edge.label ? isAsked || isFree : mark !== null && !isFar);
  return (
    <>
      {!isFar && (
        <path
          className="edge-hit"
          d={path}
          onPointerEnter={() => setIsHovered(true)}
          onPointerLeave={() => setIsHovered(false)}
        />
      )}
      <path
        className={['edge-line', ...classes].filter(Boolean).join(' ')}
        data-style={edge.style || undefined}
        style={edge.color ? tintOf(edge.color, '--edge') : undefined}
        d={path}
        markerEnd={edge.direction === 'none' ? undefined : head}
        markerStart={edge.direction === 'both' ? head : undefined}
      />
      {isSeen && (
        <InLabelLayer>
          <LabelBox
            edge={edge}
            place={place ?? pointAt(points, lengthOf(points) / 2)}
            isRenaming={isRenaming}
            mark={mark}
            isLit={isLit}
            isSelected={selected}
            isRaised={isAsked && !isFree}
          />
        </InLabelLayer>
      )}
    </>
  );
}, isDrawnAlike);

/** Where its ends are is part of the drawing: what the library says of that is no reason to draw a line again. */
function isDrawnAlike(before: EdgeProps<FlowEdge>, now: EdgeProps<FlowEdge>): boolean {
  return before.data === now.data && before.selected === now.selected;
}

/**
 * Draws above all lines. The library's own `EdgeLabelRenderer` looks for the layer among all elements, for each label, whenever
 * anything changes.
 */
function InLabelLayer({ children }: { children: ReactNode }) {
  const canvas = useStore((state) => state.domNode);
  const layer = useMemo(() => canvas?.querySelector('.react-flow__edgelabel-renderer'), [canvas]);
  return layer ? createPortal(children, layer) : null;
}

interface LabelProps {
  edge: DiagramEdge;
  /** Its centre, and its shape where it has one. */
  place: Point & Partial<Pick<PlacedLabel, 'shape'>>;
  mark: Mark | null;
  isRenaming: boolean;
  isLit: boolean;
  isSelected: boolean;
  /** Above everything else. */
  isRaised: boolean;
}

function LabelBox({ edge, place, isRenaming, mark, isLit, isSelected, isRaised }: LabelProps) {
  const { x, y, shape } = place;
  const classes = [
    'edge-label',
    isLit && 'near',
    isSelected && 'selected',
    isRenaming && 'renaming',
    isRaised && 'raised',
    shape?.lines === 1 && 'single',
    mark && `is-${mark}`,
  ];
  return (
    <span
      className={classes.filter(Boolean).join(' ')}
      data-edge={edge.id}
      style={{
        transform: `translate(-50%, -50%) translate(${x}px, ${y}px) scale(var(--enlarged))`,
        ...(isRenaming || !shape ? {} : { maxWidth: shape.width + (mark ? 20 : 0) }),
      }}
    >
      {mark && <MarkSign mark={mark} />}
      {isRenaming ? <InlineName kind="edge" id={edge.id} name={edge.label} /> : edge.label}
    </span>
  );
}

/** One for each colour, the usual one without a name. Nothing refers to that of null. */
const HEADS: readonly (string | null)[] = ['near', ...OPERATION_FORMS.add_edge.properties.color.enum];

/** The arrow heads that lines refer to; drawn once for the canvas. */
export function ArrowHeads({ step }: { step: number }) {
  // They stay in sight from afar, a little smaller.
  const size = Math.max(9, 6.5 / step);
  return (
    <svg className="arrow-heads" aria-hidden="true" focusable="false">
      <defs>
        {HEADS.map((name) => (
          <marker
            key={name}
            id={`arrow-${name}`}
            className={`arrow-${name}`}
            style={name ? tintOf(name, '--edge') : undefined}
            viewBox="0 0 10 10"
            refX="9"
            refY="5"
            markerWidth={size}
            markerHeight={size}
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
