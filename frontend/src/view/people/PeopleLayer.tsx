/**
 * Others on the canvas. Sends the own pointer as presence, and brings points into view on request. Inside the canvas.
 * What is drawn of others is loaded when there are some (`Others.tsx`).
 */
import { useReactFlow, useStore } from '@xyflow/react';
import { useEffect, useRef } from 'react';
import { useEditorContext, useLive, useUiState } from '../context/EditorContext';
import { laterInBackground } from '../ui/loading/later';
import { prefersReducedMotion } from '../ui/reducedMotion';

const Others = laterInBackground(async () => (await import('./Others')).Others);

export function PeopleLayer() {
  usePointerHere();
  useShowPoint();
  const me = useLive((live) => live.me?.id);
  const members = useLive((live) => live.members);
  // One's own other tabs are left out.
  const others = members.filter(({ id }) => id !== me);
  if (others.length === 0) return null;
  return <Others members={others} />;
}

/** Sends the pointer as presence; the client throttles it. */
function usePointerHere(): void {
  const { present } = useEditorContext();
  const { screenToFlowPosition } = useReactFlow();
  const canvas = useStore(({ domNode }) => domNode);
  useEffect(() => {
    if (!canvas) return;
    const gone = () => present({ cursor: null });
    const here = (event: PointerEvent) => {
      if (event.pointerType === 'touch' || !canvas.contains(event.target as Node)) return;
      const { x, y } = screenToFlowPosition({ x: event.clientX, y: event.clientY }, { snapToGrid: false });
      present({ cursor: { x: Math.round(x), y: Math.round(y) } });
    };
    // Before gestures change the page, so that asking for the place of the canvas forces no layout.
    const first = { capture: true, passive: true };
    window.addEventListener('pointermove', here, first);
    canvas.addEventListener('pointerleave', gone);
    window.addEventListener('blur', gone);
    return () => {
      window.removeEventListener('pointermove', here, first);
      canvas.removeEventListener('pointerleave', gone);
      window.removeEventListener('blur', gone);
      gone();
    };
  }, [canvas, present, screenToFlowPosition]);
}

/** Moves the canvas only where the point is not visible already. */
function useShowPoint(): void {
  const { flowToScreenPosition, setCenter, getZoom } = useReactFlow();
  const canvas = useStore(({ domNode }) => domNode);
  const wanted = useUiState((state) => state.revealPoint);
  const done = useRef(wanted?.at ?? 0);
  useEffect(() => {
    if (!canvas || !wanted || wanted.at === done.current) return;
    done.current = wanted.at;
    const { x, y } = flowToScreenPosition(wanted);
    const pane = canvas.getBoundingClientRect();
    const [wide, high] = [pane.width * 0.15, pane.height * 0.15];
    const isIn =
      x > pane.left + wide && x < pane.right - wide && y > pane.top + high && y < pane.bottom - high;
    if (isIn) return;
    void setCenter(wanted.x, wanted.y, { zoom: getZoom(), duration: prefersReducedMotion() ? 0 : 200 });
  }, [wanted, canvas, flowToScreenPosition, setCenter, getZoom]);
}
