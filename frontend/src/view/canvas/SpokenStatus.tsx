/** Says what has happened on the canvas to those who cannot see it. */
import { useCanvasState } from './canvasState';

export function SpokenStatus() {
  const spoken = useCanvasState((state) => state.spoken);
  return (
    <div className="visually-hidden" role="status" aria-live="polite">
      {spoken}
    </div>
  );
}
