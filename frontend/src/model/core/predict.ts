/**
 * Predicts operations before the server has answered: only those of gestures, with explicit ids and positions, resolved
 * to the same steps as on the server for the same state (births aside: `UNBORN`). Twin of the server's
 * `transform/resolve.py`.
 *
 * Everything else waits for the server (`NotPredicted`), and so does what depends on limits that the page does not
 * know. The server's answer always wins over a prediction.
 */
import type { Operation } from '../../protocol/live';
import { type PredictedKind, type Read, readOperation } from './forms';
import { addEdge, deleteEdge, keptRoutes, rewireEdge, updateEdge } from './predictEdges';
import { groupNodes, moveNodes, moveToGroup, ungroupNodes } from './predictGroups';
import { addNode, deleteNodes, updateNode } from './predictNodes';
import { NotPredicted, Refused } from './refusal';
import type { Step } from './steps';
import { Transaction } from './transaction';
import type { WorkspaceState } from './workspace';

export { NotPredicted, Refused } from './refusal';
export { UNBORN } from './transaction';

// The default of a setting of the server.
const MAX_OPERATIONS = 500;

type Resolver<K extends PredictedKind> = (tx: Transaction, op: Read<K>) => unknown;
const RESOLVERS: { [K in PredictedKind]: Resolver<K> } = {
  add_node: addNode,
  update_node: updateNode,
  delete_node: (tx, op) => deleteNodes(tx, [op.id], op),
  delete_nodes: (tx, op) => deleteNodes(tx, op.ids, op),
  move_nodes: moveNodes,
  add_edge: addEdge,
  update_edge: updateEdge,
  delete_edge: deleteEdge,
  rewire_edge: rewireEdge,
  group_nodes: groupNodes,
  ungroup_nodes: ungroupNodes,
  move_to_group: moveToGroup,
  rename_workspace: renameWorkspace,
};

function renameWorkspace(tx: Transaction, { name }: Read<'rename_workspace'>): void {
  const before = tx.workspace.name;
  if (name !== before) tx.do({ k: 'name', v: [before, name] });
}

/**
 * Applies operations to a workspace, all or none; returns the steps.
 *
 * Throws Refused: the server would refuse them. Throws NotPredicted: only the server can tell. In both cases the
 * workspace is unchanged.
 */
export function predict(operations: readonly Operation[], workspace: WorkspaceState): Step[] {
  if (operations.length === 0) throw new Refused('limit_operations', 'Give a list of 1 or more operations.');
  if (operations.length > MAX_OPERATIONS) throw new NotPredicted('the server knows how many are too many');
  const read = operations.map(readOperation);
  const tx = new Transaction(workspace);
  try {
    for (const operation of read) {
      (RESOLVERS[operation.op] as Resolver<PredictedKind>)(tx, operation);
      if (tx.moving) keptRoutes().keep(tx);
    }
  } catch (error) {
    tx.rollBack();
    throw error;
  }
  return tx.steps;
}
