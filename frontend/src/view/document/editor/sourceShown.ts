/**
 * Ranges whose source must be in sight, also where live preview would show them otherwise: those of proposed changes.
 * Without live preview nobody reads it.
 */
import { Facet } from '@codemirror/state';

export interface Stretch {
  from: number;
  to: number;
}

export const sourceShown = Facet.define<readonly Stretch[]>();
