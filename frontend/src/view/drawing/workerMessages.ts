/** Messages between the page and the drawing worker. */
import type { Drawing } from '../../model/drawing/drawing';
import type { Folded } from '../../model/drawing/folding';

export interface DrawingRequest {
  id: number;
  diagram: Folded['diagram'];
  folds: Folded['folds'];
  /** The font of labels, as CSS writes it; null for the one of pictures. */
  font: string | null;
}

export interface DrawingAnswer {
  id: number;
  drawing: Drawing;
}
