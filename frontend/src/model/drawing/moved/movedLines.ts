/**
 * Lines at nodes that somebody moves. How they are searched among the lines that stay is a part that is loaded after the first
 * view (`searchMoved.ts`): until then they are drawn without regard to other lines.
 */
import type { DiagramEdge } from '../../../protocol/types';
import type { Drawing, DrawnEdge, DrawnNode } from '../drawing';
import type { MeasureText } from '../labels';
import type { KeptLine } from './keptLines';
import type { StayingLines } from './stayingLines';

/** What stands around lines that are drawn anew. */
export interface Scene {
  nodes: readonly DrawnNode[];
  /** All edges, those of the lines to draw among them. */
  edges: readonly DiagramEdge[];
  /** The lines that are not drawn anew. */
  kept: Iterable<DrawnEdge>;
  /** The lines that were found for the last frame, by the ids of their edges. */
  shown: ReadonlyMap<string, DrawnEdge>;
  measure?: MeasureText | undefined;
}

export interface MovedLines {
  /** Draws the lines of some edges beside those that stay, around nodes and titles. */
  drawnAmong: (wanted: readonly DiagramEdge[], scene: Scene) => DrawnEdge[];
  /** Notes the lines that stay after the drag that a drawing shows, in place of earlier ones; returns all of them. */
  staying: (shown: Drawing | null, kept: Map<string, KeptLine>) => StayingLines;
}

/** The part, once it is loaded. */
export const movedLines: { part?: MovedLines } = {};
