/** Messages between the page and the drawing worker. */
import type { Drawing } from '../../model/drawing/drawing';
import type { Folded } from '../../model/drawing/folding';
import type { KeptLine } from '../../model/drawing/moved/keptLines';

export interface DrawingRequest {
  id: number;
  diagram: Folded['diagram'];
  folds: Folded['folds'];
  /** The font of labels, as CSS writes it; null for the one of pictures. */
  font: string | null;
  /** Lines by edge that stay. */
  kept?: ReadonlyMap<string, KeptLine>;
}

export interface DrawingAnswer {
  id: number;
  drawing: Drawing;
}
