import { describe, expect, it } from 'vitest';
import { asType, customOf, tintNameOf, typeIdOf } from '../../../src/model/core/customTypes';
import { DiagramView } from '../../../src/model/core/diagramView';
import { NotPredicted, predict, Refused } from '../../../src/model/core/predict';
import { apply, inverse, misfit } from '../../../src/model/core/steps';
import { withTypes } from '../../../src/model/core/withTypes';
import { WorkspaceState } from '../../../src/model/core/workspace';
import type { Content, Operation, Step } from '../../../src/protocol/live';
import type { CustomType } from '../../../src/protocol/types';
import { ChangeCollector } from '../../../src/sync/session/change';
import { node } from '../../builders';

const RAIL: CustomType = { name: 'Payment rail', base: 'external', icon: 'Stripe', color: 'violet' };
const at = { x: 0, y: 0 };
const CONTENT: Content = {
  name: 'Shop',
  eol: 'lf',
  text: '',
  nodes: [
    ['card', { birth: 1, type: 'external', custom_type: 'rail', label: 'Card', position: at }],
    ['orders', { birth: 1, type: 'service', label: 'Orders', position: at }],
  ],
  edges: [],
};
const workspace = (types?: Content['types']): WorkspaceState =>
  WorkspaceState.from({ ...CONTENT, ...(types && { types }) });
const define = (old: CustomType | null, now: CustomType | null): Step => ({
  k: 'type',
  id: 'rail',
  v: [old, now],
});

describe('a custom type', () => {
  it('is defined, changed and removed by a step with its inverse, and leaves nothing behind', () => {
    const state = workspace();
    const before = state.toContent();
    expect(before).not.toHaveProperty('types');
    const steps = [define(null, RAIL), define(RAIL, { ...RAIL, color: 'red' })];
    apply(steps, state);
    expect(state.toContent().types).toEqual({ rail: { ...RAIL, color: 'red' } });
    apply(steps.toReversed().map(inverse), state);
    expect(state.toContent()).toEqual(before);
    expect(state.toContent()).not.toHaveProperty('types');
  });

  it('fits only over the definition that the step speaks of', () => {
    const reason = "the type 'rail' has been changed since";
    expect(misfit(define(null, RAIL), workspace({ rail: RAIL }))).toBe(reason);
    expect(misfit(define(RAIL, null), workspace())).toBe(reason);
    expect(misfit(define(RAIL, null), workspace({ rail: { ...RAIL, name: 'Rail' } }))).toBe(reason);
    expect(misfit(define({ ...RAIL }, null), workspace({ rail: RAIL }))).toBeNull();
  });

  it('counts while there is one, and its base is what the node is', () => {
    const [card] = CONTENT.nodes;
    const given = { type: 'external', custom_type: 'rail' };
    expect(customOf(given, { rail: RAIL })).toEqual({ custom_type: 'rail', custom: RAIL });
    expect(customOf(given, { rail: { ...RAIL, base: 'service' } })).toEqual({ custom_type: 'rail' });
    expect(customOf({ ...given, custom_type: 'constructor' }, { rail: RAIL })).toEqual({
      custom_type: 'constructor',
    });
    expect(customOf({ type: 'external' }, { rail: RAIL })).toEqual({});
    expect(typeIdOf({ ...given, custom: RAIL })).toBe('rail');
    expect(typeIdOf(given)).toBe('external');
    expect(card?.[1]).toMatchObject(given);
  });

  it('tints what has no colour of its own', () => {
    expect(tintNameOf({ type: 'external', color: '', custom: RAIL })).toBe('violet');
    expect(tintNameOf({ type: 'external', color: 'red', custom: RAIL })).toBe('red');
    expect(tintNameOf({ type: 'external', custom: { name: 'A', base: 'external' } })).toBe('external');
  });

  it('comes with a diagram that the server tells', () => {
    const nodes = [node('card', { type: 'external', custom_type: 'rail' }), node('orders')];
    const diagram = { nodes, edges: [] };
    expect(withTypes(diagram)).toBe(diagram);
    const shown = withTypes({ ...diagram, types: { rail: RAIL } });
    expect(shown.nodes.map(({ custom }) => custom)).toEqual([RAIL, undefined]);
  });
});

describe('a view of a diagram', () => {
  it('renews the nodes whose type is defined anew, and no others', () => {
    const state = workspace();
    const view = new DiagramView();
    const before = view.of(state);
    expect(before).not.toHaveProperty('types');
    expect(before.nodes[0]).toMatchObject({ type: 'external', custom_type: 'rail' });
    expect(before.nodes[0]).not.toHaveProperty('custom');
    expect(before.nodes[1]).not.toHaveProperty('custom_type');
    apply([define(null, RAIL)], state);
    const after = view.of(state);
    expect(after.types).toEqual({ rail: RAIL });
    expect(after.nodes[0]?.custom).toBe(RAIL);
    expect(after.nodes[1]).toBe(before.nodes[1]);
    expect(view.of(state)).toBe(after);
    apply([define(RAIL, null)], state);
    expect(view.of(state).nodes[0]).not.toHaveProperty('custom');
    expect(view.of(state)).not.toHaveProperty('types');
  });

  it('is read again after a step on a type', () => {
    const collector = new ChangeCollector();
    collector.addSteps([define(null, RAIL)]);
    expect(collector.take()?.nodes).toEqual(new Set(['rail']));
  });
});

const operation = (given: object) => given as Operation;
const added = (type: string) =>
  operation({ op: 'add_node', id: 'new', type, label: 'New', position: { x: 8, y: 8 } });

describe('a prediction', () => {
  it('gives a node the base and the id of the type that it names', () => {
    const state = workspace({ rail: RAIL });
    predict([added('rail')], state);
    expect(state.nodes.get('new')).toMatchObject({ type: 'external', custom_type: 'rail' });
    predict([operation({ op: 'update_node', id: 'orders', type: 'rail' })], state);
    expect(state.nodes.get('orders')).toMatchObject({ type: 'external', custom_type: 'rail' });
  });

  it('takes the custom type from a node that gets a built-in one, also its own base', () => {
    const state = workspace({ rail: RAIL });
    const [step] = predict([operation({ op: 'update_node', id: 'card', type: 'external' })], state);
    expect(step).toMatchObject({ k: 'node=', v: { custom_type: ['rail', null] } });
    expect(state.nodes.get('card')).not.toHaveProperty('custom_type');
  });

  it('leaves names of types to the server where there are custom ones', () => {
    expect(() => predict([added('Payment rail')], workspace({ rail: RAIL }))).toThrow(NotPredicted);
    expect(() => predict([added('rail')], workspace())).toThrow(Refused);
    expect(asType('constructor', { rail: RAIL })).toEqual({ type: 'constructor' });
  });
});
