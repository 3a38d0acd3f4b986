/** Lines that stay as they were shown when what they end at was dropped, as the search for lines sees them (`routing.ts`). */
import type { DiagramEdge, Point } from '../../../protocol/types';
import type { Box } from '../boxes';
import type { Port, Side } from '../polyline';

/** A line whose ways are looked at, or that stays as it is between its ports. */
export interface Draft {
  edge: DiagramEdge;
  from: Box;
  to: Box;
  sides: [Side, Side];
  ports: [Port, Port];
  /** Of a line that stays. */
  points?: Point[];
}

/** An end of a line on a side of a box. */
export interface Sharer {
  draft: Draft;
  end: 0 | 1;
}

export interface StayingLines {
  /** The line of an edge that stays; null where it does not, or its ends are elsewhere. */
  draftAlong: (edge: DiagramEdge, from: Box, to: Box) => Draft | null;
  /** Moves ports on a side away from those of lines that stay; all are in the order of their other ends. */
  keepApart: (sharers: readonly Sharer[]) => void;
}
