/** What custom types are called where nodes, changes and drawings are put into words. */
import { describe, expect, it } from 'vitest';
import { withTypes } from '../../src/model/core/withTypes';
import { offersAt } from '../../src/model/diagramText/offers';
import { wholeText } from '../../src/model/diagramText/projection';
import { EVERYTHING, TextSession } from '../../src/model/diagramText/session';
import { printNode, readLine } from '../../src/model/diagramText/syntax';
import { describeNode } from '../../src/model/drawing/ariaLabels';
import { compareDiagrams } from '../../src/model/drawing/compare';
import { drawingOf } from '../../src/model/drawing/drawing';
import { ghostsOf } from '../../src/model/drawing/ghosts';
import { shownBy, technologiesShown } from '../../src/model/export/nodeImages';
import { svgOf } from '../../src/model/export/svg';
import { changeLines } from '../../src/model/words/changeWords';
import { noteOfNode, typeName } from '../../src/model/words/kinds';
import { searchNodes } from '../../src/model/words/search';
import { searchCustomTypes } from '../../src/model/words/searchCustomTypes';
import { typeOfName } from '../../src/model/words/typeOfName';
import type { Step } from '../../src/protocol/live';
import type { CustomType, CustomTypes, Diagram, Diff } from '../../src/protocol/types';
import { node } from '../builders';

const RAIL: CustomType = { name: 'Payment rail', base: 'external', icon: 'Stripe', color: 'violet' };
const TYPES: CustomTypes = { 'payment-rail': RAIL, vault: { name: 'Safe', base: 'storage' } };
const card = node('card', { type: 'external', custom_type: 'payment-rail', label: 'Card' });
const shown = (...nodes: Diagram['nodes']): Diagram => withTypes({ nodes, edges: [], types: TYPES });
const [drawnCard] = drawingOf(shown(card)).nodes;

describe('a node of a custom type', () => {
  it('is called by the name of its type, on its card as well where it has no technology', () => {
    const custom = RAIL;
    expect(typeName({ type: 'external', custom })).toBe('Payment rail');
    expect(noteOfNode({ technology: '', custom })).toBe('Payment rail');
    expect(noteOfNode({ technology: 'SEPA', custom })).toBe('SEPA');
    expect(noteOfNode({ technology: '' })).toBe('');
    if (!drawnCard) throw new Error('Nothing is drawn');
    expect(describeNode(drawnCard, { at: 1, count: 1 })).toBe('Card, Payment rail, 1 of 1, 0 connections');
  });

  it('is found by the name of its type', () => {
    const { nodes } = shown(card, node('other', { type: 'external' }));
    expect(searchNodes(nodes, 'rail').map(({ id }) => id)).toEqual(['card']);
  });

  it('has in pictures the icon and the tint of its type, and its name below its own', () => {
    const icons = { Stripe: 'icons/stripe', SEPA: 'icons/sepa' };
    const [typed] = shown(card).nodes;
    if (!typed) throw new Error('There is no node');
    expect(technologiesShown([typed, { ...typed, technology: 'SEPA' }])).toEqual(['Stripe', 'SEPA']);
    expect(shownBy(typed, icons)).toBe('icons/stripe');
    expect(shownBy({ ...typed, technology: 'SEPA' }, icons)).toBe('icons/sepa');
    expect(shownBy({ ...typed, technology: 'unknown' }, icons)).toBe('icons/stripe');
    expect(shownBy({ ...typed, image: 'images/1' }, icons)).toBe('images/1');
    expect(shownBy({ ...typed, custom: undefined }, icons)).toBe('');
    const svg = (diagram: Diagram) => svgOf(drawingOf(diagram), { theme: 'light' })?.svg ?? '';
    expect(svg(shown(card))).toContain('>Payment rail<');
    expect(svg(shown(card))).toContain('<title>Card, Payment rail</title>');
    expect(svg(shown(card))).toContain(tintIn(svg(shown(node('one', { color: 'violet' })))));
    expect(svg(shown({ ...card, color: 'red' }))).toContain(
      tintIn(svg(shown(node('one', { color: 'red' })))),
    );
  });
});

/** The stroke of the first icon. */
const tintIn = (svg: string): string => /class="icon"[^>]*stroke="([^"]+)"/.exec(svg)?.[1] ?? 'none';

describe('custom types', () => {
  it('are found by name, base, icon and id, and listed by name', () => {
    const found = (query?: string) => searchCustomTypes(TYPES, query).map(({ id }) => id);
    expect(found()).toEqual(['payment-rail', 'vault']);
    expect(found('rail')).toEqual(['payment-rail']);
    expect(found('stripe')).toEqual(['payment-rail']);
    expect(found('storage')).toEqual(['vault']);
    expect(found('queue')).toEqual([]);
    expect(searchCustomTypes(undefined)).toEqual([]);
  });
});

describe('a comparison', () => {
  it('takes another custom type for a change, and one that does not count for none', () => {
    const bare = node('card', { type: 'external', label: 'Card' });
    const marks = (from: Diagram, to: Diagram) => [...compareDiagrams(from, to).marks.nodes.values()];
    expect(marks(shown(bare), shown(card))).toEqual(['changed']);
    const dangling = { ...card, custom_type: 'gone' };
    expect(marks(shown(bare), shown(dangling))).toEqual([]);
    expect(compareDiagrams(shown(bare), shown(card)).diagram.types).toEqual(TYPES);
  });
});

describe('ghosts', () => {
  it('are of types that the same proposal defines', () => {
    const bare = node('card', { type: 'external', label: 'Card' });
    const steps: Step[] = [
      { k: 'type', id: 'rail', v: [null, RAIL] },
      {
        k: 'node+',
        id: 'new',
        b: 9,
        n: { type: 'external', custom_type: 'rail', label: 'New', position: { x: 0, y: 200 } },
      },
      { k: 'node=', id: 'card', b: 1, v: { custom_type: [null, 'rail'] } },
    ];
    const { nodes, words } = ghostsOf({ nodes: [bare], edges: [] }, steps);
    expect(nodes).toEqual([expect.objectContaining({ id: 'new', custom: RAIL })]);
    expect(words.get('card')).toBe('type: Payment rail');
  });

  it('speak of built-in types where one goes', () => {
    const steps: Step[] = [{ k: 'node=', id: 'card', b: 1, v: { custom_type: ['payment-rail', null] } }];
    expect(ghostsOf(shown(card), steps).words.get('card')).toBe('type: External system');
  });
});

describe('what a commit did to custom types', () => {
  const NOTHING: Diff = {
    nodes: { added: [], changed: [], removed: [] },
    edges: { added: [], changed: [], removed: [] },
    document: [],
    workspace: {},
  };
  const NAMES = {
    node: () => 'Card',
    ends: () => null,
    type: (id: string) => TYPES[id]?.name ?? null,
  };
  const said = (diff: Partial<Diff>) =>
    changeLines({ ...NOTHING, ...diff }, NAMES).map(({ sign, what, how }) =>
      [sign, what, how].filter(Boolean).join(' '),
    );
  const changed = (fields: Record<string, [unknown, unknown]>) =>
    said({ nodes: { added: [], changed: [{ id: 'card', fields }], removed: [] } });

  it('is said by their names, also of one that is gone', () => {
    const types = {
      a: [null, RAIL],
      b: [{ ...RAIL, name: 'Old' }, null],
      c: [RAIL, { ...RAIL, color: 'red' }],
    };
    expect(said({ types: types as Diff['types'] })).toEqual([
      '+ Type “Payment rail”',
      '− Type “Old”',
      'Δ Type “Payment rail” color: “violet” → “red”',
    ]);
    const added = [node('x', { label: 'X', type: 'external', custom_type: 'a' })];
    expect(said({ nodes: { added, changed: [], removed: [] }, types: types as Diff['types'] })[0]).toBe(
      '+ X Payment rail',
    );
  });

  it('is one change of the type of a node, with that of its base', () => {
    expect(changed({ type: ['service', 'external'], custom_type: [null, 'payment-rail'] })).toEqual([
      'Δ Card type: “Service” → “Payment rail”',
    ]);
    expect(changed({ custom_type: ['payment-rail', null] })).toEqual(['Δ Card type: “Payment rail” → none']);
    expect(changed({ type: ['service', 'cache'] })).toEqual(['Δ Card type: “service” → “cache”']);
  });
});

describe('a diagram as text', () => {
  it('holds custom types by their ids, and reads them by id or name', () => {
    const text = 'Card (payment-rail)\n';
    expect(wholeText(shown(card), typeOfName)).toBe(text);
    for (const line of ['Card (payment-rail)', 'Card (Payment rail)', 'Card (PAYMENT_RAIL)'])
      expect(readLine(line, TYPES), line).toMatchObject({ form: 'node', type: 'payment-rail' });
    expect(readLine('Card (payment-rail)')).toMatchObject({ form: 'unread' });
    expect(readLine('Card (load balancer)', TYPES)).toMatchObject({ type: 'load_balancer' });
    expect(printNode({ label: 'Box', type: 'my_type', technology: '', id: null }, 0)).toBe('Box (my_type)');
  });

  it('gives a node another type, adds one, and prints what was sent at once', () => {
    const session = new TextSession(typeOfName, shown(card, node('safe', { label: 'Safe room' })));
    expect(session.lines.map(({ text }) => text)).toEqual(['Card (payment-rail)', 'Safe room', '']);
    session.splice(0, 3, ['Card (external)', 'Safe room (Safe)', 'Backup (vault)']);
    const { sent, reflow } = session.take(EVERYTHING);
    expect(sent.operations).toEqual([
      { op: 'update_node', id: 'card', type: 'external' },
      { op: 'update_node', id: 'safe', type: 'vault' },
      expect.objectContaining({ op: 'add_node', label: 'Backup', type: 'vault' }),
    ]);
    expect(reflow.map(({ text }) => text)).toEqual([
      'Card (external)',
      'Safe room (vault)',
      'Backup (vault)',
    ]);
    expect(session.isEdited).toBe(false);
  });

  it('completes them in round brackets', () => {
    const offers = offersAt('Card (', shown(card), false)?.offers ?? [];
    expect(offers.slice(0, 2)).toEqual([
      { label: 'payment-rail', detail: 'Payment rail', insert: 'payment-rail)' },
      { label: 'vault', detail: 'Safe', insert: 'vault)' },
    ]);
    expect(offers.length).toBeGreaterThan(20);
    expect(offersAt('A -> ', shown(card), false)?.offers[0]).toMatchObject({ detail: 'Payment rail' });
  });
});
