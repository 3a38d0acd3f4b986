/**
 * A transaction: steps are applied in place as they are made, and undone together if the batch does not fit. Twin of
 * the server's `transform/transaction.py`, without what only commits need; and the checks that operations share.
 */
import { NODE_TYPES } from '../../protocol/types';
import { asType } from './customTypes';
import { NotPredicted, Refused } from './refusal';
import { misfit, type Step, takeBack, write } from './steps';
import type { NodeRecord, WorkspaceState, XY } from './workspace';

/** The `birth` of predicted nodes and edges: later than every revision, and exact as a number. */
export const UNBORN = 2 ** 53 - 1;

// A server may have other limits; at the defaults only the server can tell whether there is room.
const NODES = 5_000;
const EDGES = 10_000;

const PROPERTIES = 50;
const NODE_ID = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const EDGE_ID = /^[a-z0-9][a-z0-9_-]{0,139}$/;

export class Transaction {
  readonly steps: Step[] = [];
  /** What routes by hand become whose ends this operation moves. */
  moving?: Map<string, () => readonly XY[]>;

  constructor(readonly workspace: WorkspaceState) {}

  /** Applies a step and remembers it. Throws Refused: it does not fit; rare, since resolving has checked before. */
  do(step: Step): void {
    const reason = misfit(step, this.workspace);
    if (reason !== null) throw new Refused('stale_base', `It does not fit: ${reason}.`);
    write(step, this.workspace);
    this.steps.push(step);
  }

  /** Undoes all steps, newest first. */
  rollBack(): void {
    takeBack(this.steps.splice(0), this.workspace);
  }
}

export function needNode({ workspace }: Transaction, id: string): NodeRecord {
  const node = workspace.nodes.get(id);
  if (node === undefined) throw new Refused('node_not_found', `There is no node '${id.slice(0, 80)}'.`);
  return node;
}

export function needGroup(tx: Transaction, id: string): NodeRecord {
  const node = needNode(tx, id);
  if (node.type !== 'group') throw new Refused('not_a_group', `'${id}' is not a group.`);
  return node;
}

/** Refuses to touch a locked node. */
export function needUnlocked({ workspace }: Transaction, id: string): void {
  const lock = workspace.lockOn(id);
  if (lock === null) return;
  const around = lock === id ? '' : ` by the group '${lock}'`;
  throw new Refused('locked', `'${id}' is locked${around}; a person has to unlock it first.`);
}

/**
 * The fields of a type: a built-in one, or a custom one by its id.
 *
 * Throws NotPredicted: it may be the name of a custom type, which the server compares.
 */
export function typeFields(
  { workspace: { types } }: Transaction,
  wanted: string,
): { type: string; custom_type?: string } {
  const { type, custom_type } = asType(wanted, types);
  if (custom_type) return { type, custom_type };
  if ((NODE_TYPES as readonly string[]).includes(type)) return { type };
  if (types) throw new NotPredicted('the server knows names');
  throw new Refused('type_unknown', `There is no node type '${type}'.`);
}

/** Refuses an invalid or used id; without an id the server makes one. */
export function newNodeId({ workspace }: Transaction, id: string | null | undefined): string {
  if (id === null || id === undefined) throw new NotPredicted('the server makes the id');
  if (!NODE_ID.test(id)) throw new Refused('id_invalid', `'${id.slice(0, 80)}' is no id.`);
  if (workspace.nodes.has(id)) throw new Refused('node_exists', `There is a node '${id}' already.`);
  return id;
}

/** As `newNodeId`, for edges. */
export function newEdgeId({ workspace }: Transaction, id: string): string {
  if (!EDGE_ID.test(id)) throw new Refused('id_invalid', `'${id.slice(0, 80)}' is no edge id.`);
  if (workspace.edges.has(id)) throw new Refused('edge_exists', `There is an edge '${id}' already.`);
  return id;
}

export function checkRoomForNode({ workspace }: Transaction): void {
  if (workspace.nodes.size >= NODES) throw new NotPredicted('the server knows whether there is room');
}

export function checkRoomForEdge({ workspace }: Transaction): void {
  if (workspace.edges.size >= EDGES) throw new NotPredicted('the server knows whether there is room');
}

/** Refuses more properties than a node or edge may have. */
export function checkPropertyCount(now: number, growth: number): void {
  if (growth > 0 && now + growth > PROPERTIES)
    throw new Refused('field_invalid', `A node or edge holds at most ${PROPERTIES} properties.`);
}
