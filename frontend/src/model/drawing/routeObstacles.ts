/** What lines avoid, by place: nodes, titles, and the lines that were drawn so far. Pure. */
import type { Point } from '../../protocol/types';
import { type Box, inflated } from './boxes';
import { BoxIndex } from './boxIndex';
import type { Segment } from './polyline';

/** How far lines keep from nodes and from one another. */
const CLEARANCE = 10;
const LINE_GAP = 8;

/** What lines avoid. */
export interface Obstacles {
  /** The cards, by node id; the ends of an edge are not its obstacles. */
  nodes: ReadonlyMap<string, Box>;
  /** The titles of groups: crossed only where the detour is long. */
  titles: readonly Box[];
}

export interface Line {
  points: Point[];
  segments: Segment[];
}

/** Obstacles by place. */
export interface Nearby {
  nodes: ReadonlyMap<string, Box>;
  cards: BoxIndex<string>;
  titles: BoxIndex<Box>;
}

export function nearby({ nodes, titles }: Obstacles): Nearby {
  const found: Nearby = { nodes, cards: new BoxIndex(), titles: new BoxIndex() };
  for (const [id, box] of nodes) found.cards.add(inflated(box, CLEARANCE), id);
  for (const box of titles) found.titles.add(box, box);
  return found;
}

/** The lines that were drawn so far, also by place. */
export class Lines {
  private readonly lines = new Map<string, Line>();
  private readonly segments = new BoxIndex<Segment>();

  set(id: string, line: Line): void {
    this.lines.set(id, line);
    for (const segment of line.segments) this.segments.add(spanOf(segment), segment);
  }

  delete(id: string): void {
    for (const segment of this.lines.get(id)?.segments ?? []) this.segments.remove(spanOf(segment), segment);
    this.lines.delete(id);
  }

  /** The segments within reach of a piece. */
  beside(piece: Segment): Iterable<Segment> {
    return this.segments.over(boxOfSegment(piece));
  }

  points(): Map<string, Point[]> {
    return new Map([...this.lines].map(([id, { points }]) => [id, points]));
  }
}

export const boxOfSegment = ({ from, to }: Segment): Box => ({
  x: Math.min(from.x, to.x),
  y: Math.min(from.y, to.y),
  width: Math.abs(from.x - to.x),
  height: Math.abs(from.y - to.y),
});

const spanOf = (segment: Segment): Box => inflated(boxOfSegment(segment), LINE_GAP);
