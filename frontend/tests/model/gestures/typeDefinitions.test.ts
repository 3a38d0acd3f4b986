import { describe, expect, it } from 'vitest';
import { withTypes } from '../../../src/model/core/withTypes';
import { ofSameKind } from '../../../src/model/gestures/arrange';
import { clipOf, textOf } from '../../../src/model/gestures/clip';
import { addSibling, isRefusal } from '../../../src/model/gestures/connect';
import { withMade } from '../../../src/model/gestures/making';
import { clipFrom, type Pasted, paste } from '../../../src/model/gestures/paste';
import { placeNode } from '../../../src/model/gestures/place';
import { Scene } from '../../../src/model/gestures/scene';
import {
  BASES,
  broughtTypes,
  definition,
  MOST_TYPES,
  usesOf,
  withOthersChanges,
} from '../../../src/model/gestures/typeDefinitions';
import { customTypeNamed, typeIdFor, typeNameProblem } from '../../../src/model/gestures/typeNames';
import type { CustomType, CustomTypes, Diagram } from '../../../src/protocol/types';
import { node } from '../../builders';

const RAIL: CustomType = { name: 'Payment rail', base: 'external', icon: 'Stripe', color: 'violet' };
const TYPES: CustomTypes = { 'payment-rail': RAIL };
const of = (id: string) =>
  node(id, { type: 'external', custom_type: 'payment-rail', position: { x: 0, y: 0 } });
const diagram = (types: CustomTypes | undefined, ...nodes: Diagram['nodes']): Diagram =>
  withTypes({ nodes, edges: [], ...(types && { types }) });

describe('the name of a custom type', () => {
  it.each([
    ['', 'A type needs a name.'],
    [' ', 'A type needs a name.'],
    ['x'.repeat(61), 'A name has 60 characters at most.'],
    ['Load Balancer', '“Load Balancer” is a built-in type. Choose another name.'],
    ['ml_model', '“ml_model” is a built-in type. Choose another name.'],
    ['payment  RAIL', 'Another type has this name.'],
    ['Payment-Rail', 'Another type has this name.'],
    ['Card scheme', null],
  ])('%j: %s', (name, why) => expect(typeNameProblem(name, TYPES, null)).toBe(why));

  it('may stay as it is, and be spelt otherwise', () => {
    expect(typeNameProblem('Payment Rail', TYPES, 'payment-rail')).toBeNull();
  });

  it('gives an id that is free and no built-in type', () => {
    expect(typeIdFor('Größe (neu)', {})).toBe('grosse-neu');
    expect(typeIdFor('Payment rail', TYPES)).toBe('payment-rail-2');
    expect(typeIdFor('ml model', {})).toBe('ml-model-2');
    expect(typeIdFor('支付', {})).toBe('type');
  });

  it('means a type whatever its letter case, blanks, hyphens and underscores, and its id does', () => {
    for (const word of ['payment-rail', 'PAYMENT RAIL', 'payment_rail', ' Payment  rail '])
      expect(customTypeNamed(word, TYPES), word).toBe('payment-rail');
    expect(customTypeNamed('rail', TYPES)).toBeNull();
    expect(customTypeNamed('constructor', TYPES)).toBeNull();
    expect(customTypeNamed('rail', undefined)).toBeNull();
  });
});

describe('an edited definition', () => {
  it('has what others have changed meanwhile where it was left as it was', () => {
    const before: CustomType = { name: 'Rail', base: 'external', icon: 'Stripe' };
    const now: CustomType = { name: 'Rail', base: 'service', color: 'red' };
    const edited = { name: 'Card', base: 'external', icon: 'Stripe', color: '' };
    expect(definition('rail', withOthersChanges(edited, before, now))).toEqual(
      definition('rail', { name: 'Card', base: 'service', color: 'red' }),
    );
    const other = { name: 'Rail', base: 'cache', icon: '', color: 'teal' };
    expect(withOthersChanges(other, before, now)).toEqual(other);
  });
});

describe('a custom type', () => {
  it('is sent as a whole, without what it has not', () => {
    expect(definition('a', { name: ' A ', base: 'cache', icon: '', color: '' })).toEqual({
      op: 'define_type',
      id: 'a',
      label: 'A',
      type: 'cache',
    });
    expect(definition('payment-rail', RAIL)).toMatchObject({ technology: 'Stripe', color: 'violet' });
    expect(BASES).not.toContain('group');
    expect(BASES).toHaveLength(24);
  });

  it('says how many nodes are of it', () => {
    const shown = diagram(TYPES, of('a'), of('b'), node('c'), { ...of('d'), type: 'service' });
    expect([...usesOf(shown)]).toEqual([['payment-rail', 2]]);
    expect(usesOf(diagram(undefined, of('a'))).size).toBe(0);
  });

  it('is placed under its name, and drawn as such while it has none of its own', () => {
    const here = diagram(TYPES);
    const made = placeNode(new Scene(here), 'payment-rail', { x: 0, y: 0 });
    expect(made.operations).toEqual([
      expect.objectContaining({ op: 'add_node', type: 'payment-rail', label: 'Payment rail' }),
    ]);
    const [drawn] = withMade(here, made).nodes;
    expect(drawn).toMatchObject({ type: 'external', custom_type: 'payment-rail', custom: RAIL });
  });

  it('is that of one more node in a row, and all of one kind are selected by it', () => {
    const scene = new Scene(diagram(TYPES, of('a'), of('b'), node('plain', { type: 'external' })));
    const sibling = addSibling(scene, 'a');
    if (isRefusal(sibling)) throw new Error(sibling.refusal);
    expect(sibling.operations[0]).toMatchObject({ type: 'payment-rail' });
    const like = (id: string) => ofSameKind(scene, { nodes: new Set([id]), edges: new Set() }).nodes;
    expect(like('a')).toEqual(['a', 'b']);
    expect(like('plain')).toEqual(['plain']);
  });
});

/** What is pasted into a diagram of what was copied from another. */
function pastedInto(here: Diagram, from: Diagram): Pasted['operations'] {
  const copied = clipOf(
    new Scene(from),
    from.nodes.map(({ id }) => id),
  );
  const clip = copied && clipFrom(textOf(copied, 'there'));
  if (!clip) throw new Error('Nothing was copied');
  const pasted = paste(new Scene(here), clip, { x: 0, y: 0 }, () => null);
  if (isRefusal(pasted)) throw new Error(pasted.refusal);
  return pasted.operations;
}

describe('a copied node of a custom type', () => {
  const copied = diagram(TYPES, of('a'), of('b'), node('c'));
  const types = (operations: Pasted['operations']) =>
    operations.flatMap((one) => (one.op === 'add_node' ? [one.type] : []));

  it('brings its type along, once, where that is not known', () => {
    const operations = pastedInto(diagram(undefined), copied);
    expect(operations[0]).toEqual(definition('payment-rail', RAIL));
    expect(operations.filter(({ op }) => op === 'define_type')).toHaveLength(1);
    expect(types(operations)).toEqual(['payment-rail', 'payment-rail', 'service']);
  });

  it('gets the type of that id or name where there is one, however it is defined there', () => {
    const here = { name: 'Payment Rail', base: 'api' };
    for (const id of ['payment-rail', 'rails']) {
      const operations = pastedInto(diagram({ [id]: here }), copied);
      expect(operations.map(({ op }) => op)).toEqual(['add_node', 'add_node', 'add_node']);
      expect(types(operations)).toEqual([id, id, 'service']);
    }
  });

  it('falls back to its base where there is no room for its type, and where that is not said', () => {
    const full = Object.fromEntries(
      Array.from({ length: MOST_TYPES }, (_, at) => [`t${at}`, { name: `T ${at}`, base: 'cache' }]),
    );
    expect(types(pastedInto(diagram(full), copied))).toEqual(['external', 'external', 'service']);
    expect(types(pastedInto(diagram(undefined), diagram(undefined, of('a'))))).toEqual(['external']);
  });

  it.each([
    ['no name', { ...RAIL, name: ' ' }],
    ['a base that is none', { ...RAIL, base: 'group' }],
    ['nothing but a text', 'Payment rail'],
  ])('with %s as its type is of its base', (_, custom) => {
    const clip = clipFrom(
      textOf({ nodes: [{ ...of('a'), custom: custom as CustomType }], edges: [] }, 'there'),
    );
    const brought = broughtTypes(clip?.nodes ?? []);
    expect(brought.operations).toEqual([]);
    expect(clip?.nodes.map(brought.typeOf)).toEqual(['external']);
  });

  it('has a colour and an icon that a type may have', () => {
    const strange = { ...RAIL, color: 'red; background: url(x)', icon: 'x'.repeat(100) };
    const clip = clipFrom(textOf({ nodes: [{ ...of('a'), custom: strange }], edges: [] }, 'there'));
    expect(clip?.nodes[0]?.custom).toEqual({ ...RAIL, color: '', icon: 'x'.repeat(60) });
  });
});
