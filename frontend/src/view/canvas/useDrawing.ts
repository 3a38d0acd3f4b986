/**
 * The drawing of a diagram: small ones with full routing at once; larger ones with quick routing, and full routing by a
 * worker soon after; the largest with quick routing only.
 */
import { useEffect, useMemo, useRef, useState } from 'react';
import { type Drawing, drawingOf, FULL_ROUTING_UP_TO } from '../../model/drawing/drawing';
import { type Folded, folded } from '../../model/drawing/folding';
import { settled, updatedDrawing } from '../../model/drawing/incremental';
import type { KeptLine } from '../../model/drawing/moved/keptLines';
import { movedLines } from '../../model/drawing/moved/movedLines';
import type { Diagram } from '../../protocol/types';
import { textWidth } from '../drawing/textWidth';
import { drawInWorker } from '../drawing/workerDrawing';
import { laterPart } from '../ui/loading/later';

const lineShapes = laterPart(async () => {
  const part = await import('../../model/drawing/shapes/lineShapes');
  part.startLineShapes();
  return part;
});
/** Up to this many nodes times edges full routing takes no noticeable time. */
const AT_ONCE = 1_500;

/** @param moving the drawing that is shown in its place during a drag: what is dropped stays as it was shown */
export function useDrawing(
  diagram: Diagram,
  collapsed: ReadonlySet<string>,
  moving: Drawing | null,
): Drawing {
  const fold = useMemo(() => folded(diagram, collapsed), [diagram, collapsed]);
  const shapes = lineShapes.usePart(diagram.edges.some(({ shape }) => shape));
  const last = useRef<{ drawing: Drawing; shapes: unknown } | null>(null);
  const kept = useRef(new Map<string, KeptLine>());
  const [fullyRouted, setFullyRouted] = useState<{ of: Folded; drawing: Drawing } | null>(null);
  const size = fold.diagram.nodes.length * fold.diagram.edges.length;
  const drawing = useMemo(() => {
    // What was drawn without shapes is drawn anew with them.
    const before = last.current?.shapes === shapes ? last.current.drawing : null;
    const staying = movedLines.part?.staying(before, kept.current);
    if (fullyRouted?.of === fold) return settled(before, fullyRouted.drawing);
    const options = { measure: textWidth, folds: fold.folds, kept: staying };
    if (size <= AT_ONCE) return settled(before, drawingOf(fold.diagram, { ...options, routing: 'full' }));
    // Nothing can be reused from a drawing with the other routing.
    const isSameWay = before && (before.routing === 'quick') === size > FULL_ROUTING_UP_TO;
    return isSameWay
      ? updatedDrawing(before, fold.diagram, options)
      : drawingOf(fold.diagram, { ...options, routing: 'quick' });
  }, [fold, fullyRouted, size, shapes]);
  useEffect(() => {
    last.current = { drawing: moving ?? drawing, shapes };
  }, [drawing, moving, shapes]);
  useEffect(() => {
    if (size <= AT_ONCE || size > FULL_ROUTING_UP_TO) return;
    return drawInWorker(fold, kept.current, (made) => setFullyRouted({ of: fold, drawing: made }));
  }, [fold, size]);
  return drawing;
}
