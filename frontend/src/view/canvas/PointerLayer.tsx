/** Feedback of gestures over the diagram: alignment guides, the marquee, a pending edge, where a drop goes. */
import '../styles/canvas-later.css';
import '../styles/hand.css';
import { useStore, ViewportPortal } from '@xyflow/react';
import { useEffect } from 'react';
import { borderTowards } from '../../model/drawing/borders';
import type { Box } from '../../model/drawing/boxes';
import type { Drawing } from '../../model/drawing/drawing';
import type { Guide } from '../../model/gestures/snap';
import type { Point } from '../../protocol/types';
import { useEditorContext } from '../context/EditorContext';
import { overlayOf } from '../gestures/overlay';
import { type PendingEdge, useCanvas, useCanvasState } from './canvasState';

export function PointerLayer({ drawing }: { drawing: Drawing }) {
  const guides = useCanvasState((state) => state.guides);
  const marquee = useCanvasState((state) => state.marquee);
  const dropInto = useCanvasState((state) => state.dropInto);
  const landing = useCanvasState((state) => state.landing);
  const pull = useCanvasState((state) => state.pull);
  const { store } = useCanvas();
  const { ui } = useEditorContext();
  useEffect(() => {
    const overlay = overlayOf(ui);
    overlay.showLanding = (shown) => store.setState({ landing: shown });
    return () => {
      overlay.showLanding = null;
    };
  }, [store, ui]);
  if (guides.length === 0 && !marquee && dropInto === null && !landing && !pull) return null;
  const boxOf = (id: string | null) => drawing.nodes.find(({ node }) => node.id === id)?.box;
  const into = landing?.frame ?? boxOf(dropInto);
  return (
    <ViewportPortal>
      <div className="hand-layer" aria-hidden="true">
        {into && <Frame box={into} className="drop-target" />}
        {landing?.places.map((box) => (
          <Frame key={`${box.x} ${box.y}`} box={box} className="drop-place" />
        ))}
        <Lines guides={guides} />
        {pull && <PullLine pull={pull} from={boxOf(pull.source)} target={boxOf(pull.target)} />}
        {marquee && <Frame box={marquee} className="marquee" />}
      </div>
    </ViewportPortal>
  );
}

function Frame({ box: { x, y, width, height }, className }: { box: Box; className: string }) {
  return <div className={className} style={{ transform: `translate(${x}px, ${y}px)`, width, height }} />;
}

function Lines({ guides }: { guides: readonly Guide[] }) {
  const zoom = useStore(({ transform }) => transform[2]);
  return (
    <svg className="hand-lines" aria-hidden="true">
      {guides.map(({ axis, at, from, to }) => (
        <line
          key={axis}
          className="guide"
          strokeWidth={1 / zoom}
          {...(axis === 'x' ? { x1: at, x2: at, y1: from, y2: to } : { x1: from, x2: to, y1: at, y2: at })}
        />
      ))}
    </svg>
  );
}

function PullLine({
  pull,
  from,
  target,
}: {
  pull: PendingEdge;
  from: Box | undefined;
  target: Box | undefined;
}) {
  if (!from) return null;
  const start: Point = borderTowards(from, pull.to);
  const end = target ? borderTowards(target, start) : pull.to;
  return (
    <>
      {target && <Frame box={target} className="drop-target" />}
      <svg className="hand-lines" aria-hidden="true">
        <path
          className="edge-line near pull-line"
          d={`M${start.x},${start.y}L${end.x},${end.y}`}
          markerEnd="url(#arrow-near)"
        />
      </svg>
    </>
  );
}
