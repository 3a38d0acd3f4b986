import { describe, expect, it } from 'vitest';
import { predict } from '../../../src/model/core/predict';
import { WorkspaceState } from '../../../src/model/core/workspace';
import { nearestTowards } from '../../../src/model/drawing/directions';
import { drawingOf } from '../../../src/model/drawing/drawing';
import { isInView, onScreen, viewportFor } from '../../../src/model/drawing/viewport';
import { groupAt, regroup } from '../../../src/model/gestures/drop';
import {
  carriedBy,
  cornersOf,
  dropped,
  moved,
  pulled,
  resized,
  shifted,
} from '../../../src/model/gestures/move';
import { snapped } from '../../../src/model/gestures/snap';
import { node } from '../../builders';

/** zone holds inner and a; inner holds b; fixed is locked; c is free. */
function workspace(): WorkspaceState {
  const view = new WorkspaceState();
  let birth = 0;
  const add = (id: string, x: number, y: number, more: object = {}) => {
    birth += 1;
    view.addNode(id, { birth, type: 'service', label: id, position: { x, y }, ...more });
  };
  add('zone', 100, 100, { type: 'group' });
  add('inner', 40, 60, { type: 'group', parent: 'zone' });
  add('a', 300, 60, { parent: 'zone' });
  add('b', 30, 50, { parent: 'inner' });
  add('c', 1000, 0);
  add('fixed', 0, 900, { locked: true });
  return view;
}

const POINTS = [
  node('zone', { type: 'group', position: { x: 100, y: 100 }, size: { width: 600, height: 400 } }),
  node('inner', {
    type: 'group',
    parent: 'zone',
    position: { x: 40, y: 60 },
    size: { width: 250, height: 200 },
  }),
  node('shut', {
    type: 'group',
    parent: 'zone',
    position: { x: 350, y: 60 },
    size: { width: 200, height: 200 },
    locked: true,
  }),
];

describe('where something is dropped', () => {
  const drawing = drawingOf({ nodes: POINTS, edges: [] });

  it('is the innermost group there', () => {
    expect(groupAt(drawing, { x: 200, y: 250 })).toBe('inner');
    expect(groupAt(drawing, { x: 120, y: 480 })).toBe('zone');
    expect(groupAt(drawing, { x: 0, y: 0 })).toBeNull();
  });

  it('is never the thing itself, nor a locked group', () => {
    expect(groupAt(drawing, { x: 200, y: 250 }, new Set(['inner']))).toBe('zone');
    expect(groupAt(drawing, { x: 500, y: 250 })).toBe('zone');
  });

  it('takes in what comes from elsewhere and moves the rest, where they were let go', () => {
    const view = workspace();
    const positions = new Map([
      ['c', { x: 200, y: 300 }],
      ['a', { x: 400, y: 400 }],
    ]);
    const operations = regroup(view, ['c', 'a'], 'zone', positions);
    expect(operations).toEqual([
      { op: 'move_to_group', ids: ['c'], group: 'zone', positions: { c: { x: 100, y: 200 } } },
      { op: 'move_nodes', positions: { a: { x: 300, y: 300 } } },
    ]);
    predict(operations, view);
    expect([...cornersOf(view, ['c', 'a']).values()]).toEqual([...positions.values()]);
  });

  it('leaves what is not told a place where it is', () => {
    const view = workspace();
    predict(regroup(view, ['b'], null), view);
    expect(view.nodes.get('b')?.parent).toBeUndefined();
    expect(view.originOf('b')).toEqual({ x: 170, y: 210 });
  });
});

describe('a move', () => {
  it('takes along what stands in a group, each once, and nothing that is locked', () => {
    const { roots, all } = carriedBy(workspace(), ['zone', 'b', 'c', 'fixed']);
    expect(roots).toEqual(['zone', 'c']);
    expect([...all].sort()).toEqual(['a', 'b', 'c', 'inner', 'zone']);
  });

  it('is one operation with places in the groups, and none where nothing has moved', () => {
    const view = workspace();
    const corners = cornersOf(view, ['b', 'c']);
    expect(moved(view, shifted(corners, { x: 8, y: -8 }))).toEqual([
      { op: 'move_nodes', positions: { b: { x: 38, y: 42 }, c: { x: 1008, y: -8 } } },
    ]);
    expect(moved(view, corners)).toEqual([]);
    expect(dropped(view, cornersOf(view, ['a']), 'zone')).toEqual([]);
  });

  it('leaves out what is gone meanwhile', () => {
    expect(moved(workspace(), new Map([['gone', { x: 1, y: 1 }]]))).toEqual([]);
  });
});

describe('a group pulled by its border', () => {
  const box = { x: 0, y: 0, width: 400, height: 300 };
  const child = { x: 100, y: 100, width: 180, height: 72 };

  it('never gets smaller than what stands in it', () => {
    const far = { x: -900, y: -900 };
    expect(pulled(box, 'se', far, [child])).toEqual({ x: 0, y: 0, width: 304, height: 196 });
    expect(pulled(box, 'nw', { x: 900, y: 900 }, [child])).toEqual({ x: 76, y: 60, width: 324, height: 240 });
    expect(pulled(box, 'e', { x: 50, y: 70 }, [])).toEqual({ ...box, width: 450 });
  });

  it('leaves what stands in it where it is on the diagram', () => {
    const view = workspace();
    const before = cornersOf(view, ['a', 'inner', 'b']);
    predict(resized(view, 'zone', { x: 60, y: 80, width: 700, height: 500 }), view);
    expect(view.originOf('zone')).toEqual({ x: 60, y: 80 });
    expect(view.nodes.get('zone')?.size).toEqual({ width: 700, height: 500 });
    expect(cornersOf(view, ['a', 'inner', 'b'])).toEqual(before);
  });
});

describe('snapping', () => {
  const box = { x: 3, y: 5, width: 180, height: 72 };
  const near = { x: 500, y: 104, width: 180, height: 72 };

  it('goes to the grid where nothing is near', () => {
    const { by, guides } = snapped(box, { x: 50, y: 30 }, [], { reach: 6 });
    expect([box.x + by.x, box.y + by.y]).toEqual([56, 32]);
    expect(guides).toEqual([]);
  });

  it('lines up with a neighbour and says along which line', () => {
    const { by, guides } = snapped(box, { x: 100, y: 96 }, [near], { reach: 6 });
    expect(box.y + by.y).toBe(104);
    expect(guides).toEqual([{ axis: 'y', at: 104, from: 104, to: 680 }]);
  });

  it('lines up middles with middles', () => {
    const wide = { x: 0, y: 400, width: 400, height: 72 };
    const { by } = snapped(box, { x: 104, y: 40 }, [wide], { reach: 6 });
    expect(box.x + by.x + 90).toBe(200);
  });

  it('does nothing where it is switched off', () => {
    expect(snapped(box, { x: 97.4, y: 95.6 }, [near], { reach: 6, isFree: true })).toEqual({
      by: { x: 97, y: 96 },
      guides: [],
    });
  });
});

describe('framing', () => {
  const limits = { minZoom: 0.1, maxZoom: 1.1 };
  const controls = [
    { x: 10, y: 740, width: 120, height: 50 },
    { x: 840, y: 690, width: 150, height: 100 },
  ];
  const frame = { width: 1000, height: 800, controls };

  it('puts no control over any node', () => {
    for (const [columns, rows] of [
      [4, 6],
      [12, 2],
      [2, 12],
      [1, 1],
    ] as const) {
      const boxes = Array.from({ length: columns * rows }, (_, i) => ({
        x: (i % columns) * 240,
        y: Math.floor(i / columns) * 130,
        width: 180,
        height: 72,
      }));
      const view = viewportFor(boxes, boxes, frame, limits);
      for (const box of boxes) expect(isInView(box, view, frame)).toBe(true);
    }
  });

  it('uses the room beside a control where nothing stands', () => {
    const tall = [{ x: 0, y: 0, width: 180, height: 2000 }];
    const view = viewportFor(tall, tall, frame, limits);
    expect(onScreen(tall[0] as (typeof tall)[0], view).height).toBeGreaterThan(700);
  });
});

describe('walking', () => {
  const at = (x: number, y: number) => ({ x, y, width: 180, height: 72 });
  const others = [
    ['right', at(300, 10)],
    ['far', at(900, 0)],
    ['below', at(20, 200)],
  ] as const;

  it('goes to the nearest in a direction, and nowhere where none is', () => {
    expect(nearestTowards(at(0, 0), 'right', others)).toBe('right');
    expect(nearestTowards(at(0, 0), 'down', others)).toBe('below');
    expect(nearestTowards(at(0, 0), 'up', others)).toBeNull();
  });
});
