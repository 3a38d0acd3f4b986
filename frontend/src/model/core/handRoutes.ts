/**
 * Routes by hand, which are kept when an end of their edge moves. How is a part that is loaded later (`keptRoutes.ts`): until then
 * the server tells.
 */
import type { DiagramEdge } from '../../protocol/types';
import type { Values } from './fieldPairs';
import type { Transaction } from './transaction';
import type { XY } from './workspace';

/** The box of a node, in the diagram. */
export interface EndBox extends XY {
  readonly width: number;
  readonly height: number;
}
type Boxes = ReadonlyMap<string, EndBox>;

export interface KeptRoutes {
  /** To be called before an end of these edges moves. */
  note: (tx: Transaction, ids: readonly string[]) => void;
  /** Lets the routes that were noted follow their ends, after an operation. */
  keep: (tx: Transaction) => void;
  /** How an edge is drawn between other ends. */
  drawnBetween: (tx: Transaction, id: string, source: string, target: string) => Values;
  /** The edge as it is drawn while boxes move. */
  followed: (edge: DiagramEdge, from: Boxes, to: Boxes) => DiagramEdge;
}

/** The part, once it is loaded. */
export const byHand: { part?: KeptRoutes } = {};

/** Without a route `route_by` is as if absent. */
export const isByHand = (edge: { route?: unknown; route_by?: string | null } | undefined): boolean =>
  !!edge?.route_by && !!edge.route;
