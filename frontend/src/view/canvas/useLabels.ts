/** Places the labels of lines anew for each step of the zoom and each drawing. */
import { useLayoutEffect } from 'react';
import type { Drawing } from '../../model/drawing/drawing';
import { letterWidth, textWidth } from '../drawing/textWidth';
import { laterPart } from '../ui/loading/later';
import type { CanvasStore } from './canvasState';

const legibleLabels = laterPart(() => import('../../model/drawing/legibleLabels'));
/** With more nodes times edges a zoom goes on before labels are placed. */
const AT_ONCE = 2_000;
const REST_MS = 120;

export function useLabels(store: CanvasStore, drawing: Drawing, step: number): void {
  const part = legibleLabels.usePart(true);
  const size = drawing.nodes.length * drawing.edges.length;
  useLayoutEffect(() => {
    if (!part) return;
    const place = () => store.setState({ labels: part.labelsAt(drawing, step, textWidth, letterWidth) });
    if (size <= AT_ONCE) {
      place();
      return;
    }
    store.setState({ labels: null });
    const timer = setTimeout(place, REST_MS);
    return () => clearTimeout(timer);
  }, [store, drawing, step, size, part]);
}
