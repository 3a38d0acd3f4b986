import { describe, expect, it } from 'vitest';
import { coordinate, rounded } from '../../../src/model/core/numbers';
import { NotPredicted, predict, Refused, UNBORN } from '../../../src/model/core/predict';
import { takeBack } from '../../../src/model/core/steps';
import { WorkspaceState } from '../../../src/model/core/workspace';
import type { Content, Operation } from '../../../src/protocol/live';

const at = (x: number, y: number) => ({ x, y });
const added = (id: string, given: object = {}): Operation => ({
  op: 'add_node',
  id,
  type: 'service',
  label: id,
  position: at(0, 0),
  ...given,
});

function workspaceWith(nodes: number): WorkspaceState {
  const content: Content = { name: 'W', eol: 'lf', text: '', nodes: [], edges: [] };
  for (let one = 0; one < nodes; one++)
    content.nodes.push([`n${one}`, { birth: 1, type: 'service', label: `${one}`, position: at(one, 0) }]);
  return WorkspaceState.from(content);
}

// What the server makes of the same operations is in the cases of steps.test.ts; here is what JSON cannot say.
describe('a prediction', () => {
  it('makes what is not born yet, and later operations find it', () => {
    const workspace = workspaceWith(1);
    const steps = predict([added('a'), { op: 'update_node', id: 'a', label: 'A' }], workspace);
    expect(steps.map((step) => 'b' in step && step.b)).toEqual([UNBORN, UNBORN]);
    expect(workspace.nodes.get('a')).toMatchObject({ birth: UNBORN, label: 'A' });
    takeBack(steps, workspace);
    expect([...workspace.nodes.keys()]).toEqual(['n0']);
  });

  it.each([
    ['that is refused', Refused, [{ op: 'delete_node', id: 'never' }]],
    ['of what the server resolves', NotPredicted, [{ op: 'layout_diagram', scope: 'all' }]],
    ['of a note that the server gives its size', NotPredicted, [added('b', { type: 'note' })]],
    ['of nothing', Refused, []],
    ['of more operations than a batch may hold', NotPredicted, Array.from({ length: 501 }, () => added('a'))],
  ] as const)('%s leaves nothing behind', (_, error, more) => {
    const workspace = workspaceWith(1);
    const before = workspace.toContent();
    const batch = more.length > 0 && more.length < 500 ? [added('a'), ...more] : more;
    expect(() => predict(batch as Operation[], workspace)).toThrow(error);
    expect(workspace.toContent()).toEqual(before);
  });

  it('takes a field that is undefined for one that is not given, as JSON does', () => {
    const workspace = workspaceWith(1);
    const operation = { op: 'update_node', id: 'n0', label: undefined, notes: 'x', position: undefined };
    expect(predict([operation as Operation], workspace)).toHaveLength(1);
    expect(workspace.nodes.get('n0')).toMatchObject({ label: '0', notes: 'x' });
  });

  it.each([
    ['half a surrogate pair', { label: '\ud83d' }],
    ['no number', { position: at(Number.NaN, 0) }],
    ['an infinite number', { position: at(0, Number.POSITIVE_INFINITY) }],
  ])('of %s is refused, since JSON cannot carry it', (_, given) => {
    expect(() => predict([added('a', given)], workspaceWith(1))).toThrow(Refused);
  });

  it('is left to the server where the workspace is as full as it may be by default', () => {
    expect(() => predict([added('a')], workspaceWith(5_000))).toThrow(NotPredicted);
    expect(predict([added('a')], workspaceWith(4_999))).toHaveLength(1);
    const workspace = workspaceWith(201);
    for (let edge = 0; edge < 10_000; edge++)
      workspace.addEdge(`e${edge}`, {
        birth: 1,
        source: `n${edge % 100}`,
        target: `n${100 + (edge % 101)}`,
        label: `${edge}`,
      });
    const connected: Operation = { op: 'add_edge', id: 'new', source: 'n0', target: 'n200' };
    expect(() => predict([connected], workspace)).toThrow(NotPredicted);
    workspace.removeEdge('e0');
    expect(predict([connected], workspace)).toHaveLength(1);
  });
});

describe('numbers', () => {
  // What Python's round(value, 2) gives.
  it.each([
    [0.125, 0.12],
    [0.375, 0.38],
    [0.625, 0.62],
    [0.875, 0.88],
    [-0.125, -0.12],
    [-0.375, -0.38],
    [-0.625, -0.62],
    [2.675, 2.67],
    [1.005, 1],
    [0.135, 0.14],
    [999_999.995, 999_999.99],
    [-0.001, 0],
    [-0, 0],
    [5e-324, 0],
  ])('%d is stored as %d', (value, stored) => {
    expect(rounded(value)).toBe(stored);
  });

  it('that are computed stay in range', () => {
    expect(coordinate(1_000_000.4)).toBe(1_000_000);
    expect(coordinate(-3e6)).toBe(-1_000_000);
  });
});
