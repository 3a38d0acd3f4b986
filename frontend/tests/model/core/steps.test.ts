import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { complaintsAbout } from '../../../../tests/node/step-checks.mjs';
import * as predicting from '../../../src/model/core/predict';
import * as steps from '../../../src/model/core/steps';
import { WorkspaceState } from '../../../src/model/core/workspace';
import { startKeptRoutes } from '../../../src/model/drawing/keptRoutes';
import type { Content, Step } from '../../../src/protocol/live';

const FOLDER = join(process.cwd(), '../tests/fixtures/steps');
const model = { ...steps, ...predicting, WorkspaceState };
startKeptRoutes();

// Written by `python -m tests.node.named_cases`: what the server makes of these states, steps and operations.
describe.each(readdirSync(FOLDER))('as on the server: %s', (file) => {
  const cases: { name: string }[] = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
  it.each(cases)('$name', (testCase) => {
    expect(complaintsAbout(model, testCase)).toEqual([]);
  });
});

const CONTENT: Content = {
  name: 'Shop',
  eol: 'lf',
  text: '# A\n',
  nodes: [
    ['a', { birth: 1, type: 'service', label: 'A', position: { x: 0, y: 0 } }],
    ['b', { birth: 1, type: 'service', label: 'B', position: { x: 0, y: 0 } }],
  ],
  edges: [['e', 'a', 'b', { birth: 2, label: 'reads' }]],
};

describe('steps', () => {
  const rename: Step = { k: 'node=', id: 'a', b: 1, v: { label: ['A', 'Cart'] } };
  const gone: Step = { k: 'name', v: ['Bank', 'Shop'] };

  it('are all done or none', () => {
    const workspace = WorkspaceState.from(CONTENT);
    expect(() => steps.apply([rename, gone], workspace)).toThrow(steps.StepMisfit);
    expect(workspace.toContent()).toEqual(CONTENT);
    steps.apply([rename], workspace);
    expect(workspace.nodes.get('a')?.label).toBe('Cart');
  });

  it('of a kind that the page does not know stop it, and leave nothing behind', () => {
    const workspace = WorkspaceState.from(CONTENT);
    const strange = { k: 'layer+', id: 'l' } as unknown as Step;
    expect(() => steps.apply([rename, strange], workspace)).toThrow(steps.StepUnknown);
    expect(workspace.toContent()).toEqual(CONTENT);
  });

  it('share values and never change them', () => {
    const before = structuredClone(CONTENT);
    const workspace = WorkspaceState.from(CONTENT);
    const held = workspace.nodes.get('a');
    steps.apply([rename, { k: 'node=', id: 'a', b: 1, v: { 'properties.k': [null, '1'] } }], workspace);
    expect(held?.label).toBe('A');
    expect(CONTENT).toEqual(before);
  });
});
