/** What is drawn at a card's border, and what waits for its name. */
import { describe, expect, it } from 'vitest';
import { edgeOf, isAddition, labelled, withMade } from '../../../src/model/gestures/making';
import type { Made } from '../../../src/model/gestures/place';
import { isAtBorder } from '../../../src/model/gestures/zones';
import type { Diagram } from '../../../src/protocol/types';
import { node } from '../../builders';

describe('a drag on a card', () => {
  const card = { x: 100, y: 50, width: 180, height: 72 };

  it('draws from its border and moves from its middle, at every zoom', () => {
    for (const zoom of [0.05, 0.2, 0.34, 0.6, 1, 2.5]) {
      for (const at of [
        { x: 101, y: 86 },
        { x: 279, y: 86 },
        { x: 190, y: 51 },
        { x: 190, y: 121 },
      ])
        expect(isAtBorder(card, at, zoom), `${at.x} ${at.y} at ${zoom}`).toBe(true);
      for (const share of [0.3, 0.5, 0.7])
        expect(isAtBorder(card, { x: 100 + 180 * share, y: 50 + 72 * share }, zoom)).toBe(false);
    }
  });

  it('keeps the border as narrow on the screen from near', () => {
    expect(isAtBorder(card, { x: 107, y: 86 }, 1)).toBe(true);
    expect(isAtBorder(card, { x: 109, y: 86 }, 1)).toBe(false);
    expect(isAtBorder(card, { x: 107, y: 86 }, 2)).toBe(false);
  });
});

describe('what is not named yet', () => {
  const made: Made = {
    id: 'cache-2k3d',
    operations: [
      {
        op: 'add_node',
        id: 'cache-2k3d',
        type: 'cache',
        label: 'Cache',
        position: { x: 8, y: 16 },
        parent: 'zone',
      },
      { op: 'add_edge', id: 'api--cache-2k3d', source: 'api', target: 'cache-2k3d' },
    ],
  };
  const diagram: Diagram = { nodes: [node('api'), node('zone', { type: 'group' })], edges: [] };

  it('is drawn with what is there, once, and without a line whose other end is gone', () => {
    const now = withMade(diagram, made);
    expect(now.nodes.at(-1)).toMatchObject({
      id: 'cache-2k3d',
      label: 'Cache',
      parent: 'zone',
      locked: false,
    });
    expect(now.edges).toMatchObject([{ source: 'api', target: 'cache-2k3d', kind: 'sync', label: '' }]);
    expect(withMade(now, made)).toEqual(now);
    expect(withMade({ nodes: [node('zone')], edges: [] }, made).edges).toEqual([]);
    expect(diagram.nodes).toHaveLength(2);
  });

  it('takes its name and the label of its line along', () => {
    expect(edgeOf(made)).toBe('api--cache-2k3d');
    const named = labelled(labelled(made.operations, 'cache-2k3d', 'Sessions'), 'api--cache-2k3d', 'reads');
    expect(named).toMatchObject([{ label: 'Sessions' }, { label: 'reads' }]);
    expect(made.operations[0]).toMatchObject({ label: 'Cache' });
  });

  it('waits only where nothing but adding is done', () => {
    expect(isAddition(made)).toBe(true);
    expect(
      isAddition({ id: 'g', operations: [{ op: 'group_nodes', id: 'g', label: 'Group', ids: ['api'] }] }),
    ).toBe(false);
  });
});
