/** Announces events of the canvas to screen readers. */
import { useCanvasState } from './canvasState';

export function SpokenStatus() {
  const spoken = useCanvasState((state) => state.spoken);
  return (
    <div className="visually-hidden" role="status" aria-live="polite">
      {spoken}
    </div>
  );
}
