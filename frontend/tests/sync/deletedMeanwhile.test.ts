/** What is said of a refused change whose node or connection others have deleted. */
import { describe, expect, it } from 'vitest';
import { WorkspaceState } from '../../src/model/core/workspace';
import { deletedMeanwhile, namesIn } from '../../src/sync/session/deletedMeanwhile';
import { rejected } from '../../src/sync/session/outcome';

const asItWas = () => {
  const workspace = new WorkspaceState();
  for (const [id, label] of [
    ['orders', 'Orders'],
    ['edge', 'Edge'],
  ] as const)
    workspace.addNode(id, { type: 'service', label, x: 0, y: 0, parent: null } as never);
  workspace.addEdge('a--b', { source: 'orders', target: 'edge' } as never);
  return workspace;
};

const refusal = (code: string) =>
  rejected({
    code: 'batch_rejected',
    detail: '1 problem',
    problems: [{ code, path: '/0', message: "There is no node 'orders'. Did you mean 'edge'?" }],
  } as never);

describe('a change of what others have deleted', () => {
  it('names it as it was called, wherever the operation speaks of it', () => {
    const names = namesIn([{ op: 'move_nodes', positions: { orders: { x: 1, y: 1 } } }], asItWas());
    expect([...names]).toEqual([['orders', 'Orders']]);
    const outcome = deletedMeanwhile(refusal('node_not_found'), names, new WorkspaceState());
    expect(outcome).toMatchObject({ problems: [{ message: 'Orders has been deleted meanwhile.' }] });
  });

  it('names a connection by its ends', () => {
    const names = namesIn([{ op: 'delete_edge', id: 'a--b' }], asItWas());
    const outcome = deletedMeanwhile(refusal('edge_not_found'), names, new WorkspaceState());
    expect(outcome).toMatchObject({ problems: [{ message: 'Orders → Edge has been deleted meanwhile.' }] });
  });

  it('leaves out what the server guesses where nobody knows what it was called', () => {
    const outcome = deletedMeanwhile(refusal('node_not_found'), new Map(), new WorkspaceState());
    expect(outcome).toMatchObject({ problems: [{ message: "There is no node 'orders'." }] });
  });

  it('leaves what is refused for other reasons in the words of the server', () => {
    const names = namesIn([{ op: 'update_node', id: 'orders', label: 'Sales' }], asItWas());
    expect(deletedMeanwhile(refusal('locked'), names, new WorkspaceState())).toEqual(refusal('locked'));
  });
});
