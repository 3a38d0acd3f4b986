/** Where what is moved into a group goes: on nothing, and nothing goes on anything. */
import { describe, expect, it } from 'vitest';
import { boxesOverlap, placeNodes } from '../../../src/model/drawing/boxes';
import { landingIn, movedInto, previewLandings, wayInto } from '../../../src/model/gestures/landing';
import { Scene } from '../../../src/model/gestures/scene';
import { moveTo } from '../../../src/model/gestures/ungroup';
import type { Operation } from '../../../src/protocol/live';
import type { DiagramNode, Point } from '../../../src/protocol/types';
import { edge, node } from '../../builders';

const group = (
  id: string,
  x: number,
  y: number,
  width: number,
  height: number,
  parent: string | null = null,
) => node(id, { type: 'group', position: { x, y }, size: { width, height }, parent });
const card = (id: string, x: number, y: number, parent: string | null = null) =>
  node(id, { position: { x, y }, parent });

/** zone holds one card at its left and another at its right; box holds one; beside stands right of zone. */
const NODES = [
  group('zone', 0, 0, 700, 200),
  card('left', 24, 60, 'zone'),
  card('right', 480, 60, 'zone'),
  group('box', 0, 600, 240, 150),
  card('held', 30, 50, 'box'),
  card('beside', 740, 60),
  card('below', 100, 320),
];

/** The nodes after a change, as the server makes it. */
function after(nodes: readonly DiagramNode[], operations: readonly Operation[]): DiagramNode[] {
  const places = new Map<string, Point>();
  const parents = new Map<string, string | null>();
  for (const operation of operations) {
    if (operation.op === 'move_to_group') for (const id of operation.ids) parents.set(id, operation.group);
    if (operation.op === 'move_to_group' || operation.op === 'move_nodes')
      for (const [id, at] of Object.entries(operation.positions ?? {})) places.set(id, at as Point);
  }
  return nodes.map((one) => ({
    ...one,
    parent: parents.has(one.id) ? (parents.get(one.id) ?? null) : one.parent,
    position: places.get(one.id) ?? one.position,
  }));
}

/** Pairs that lie on each other, but for a group and what it holds. */
function covered(nodes: readonly DiagramNode[]): string[] {
  const scene = new Scene({ nodes: [...nodes], edges: [] });
  const placed = placeNodes(nodes);
  return nodes.flatMap(({ id }, at) =>
    nodes.slice(at + 1).flatMap(({ id: other }) => {
      const isHeld = scene.groupsAround(id).includes(other) || scene.groupsAround(other).includes(id);
      const [one, two] = [placed.get(id)?.box, placed.get(other)?.box];
      return !isHeld && one && two && boxesOverlap(one, two) ? [`${id} ${other}`] : [];
    }),
  );
}

const sceneOf = (nodes: DiagramNode[]) => new Scene({ nodes, edges: [edge('held', 'left')] });
const done = (nodes: DiagramNode[], ids: string[], by: Point, into: string): DiagramNode[] => {
  const answer = movedInto(sceneOf(nodes), ids, by, into);
  if ('refusal' in answer) throw new Error(answer.refusal);
  return after(nodes, answer);
};

describe('what is dropped on a group', () => {
  it('stays where it was dropped if it lies on nothing there', () => {
    const by = { x: 216, y: -556 };
    expect(landingIn(sceneOf(NODES), ['box'], by, 'zone')).toMatchObject({ by, aside: new Map() });
    const result = done(NODES, ['box'], by, 'zone');
    expect(result.find(({ id }) => id === 'box')).toMatchObject({
      parent: 'zone',
      position: { x: 216, y: 44 },
    });
    expect(covered(result)).toEqual([]);
  });

  it('goes to the nearest free place where it would lie on something', () => {
    const result = done(NODES, ['box'], { x: 120, y: -556 }, 'zone');
    expect(covered(result)).toEqual([]);
    const box = result.find(({ id }) => id === 'box');
    expect(box).toMatchObject({ parent: 'zone', position: { x: 220, y: 44 } });
    expect(result.find(({ id }) => id === 'beside')?.position).toEqual({ x: 740, y: 60 });
  });

  it('has room made for it where nothing is free: what stands beyond the frame moves aside, and no more', () => {
    const full = [...NODES, card('middle', 250, 60, 'zone')];
    const walled = [...full, card('above', 100, -110), card('far left', -220, 60), card('corner', 740, 320)];
    for (const by of [
      { x: 200, y: -560 },
      { x: 0, y: -500 },
      { x: 600, y: -600 },
    ]) {
      const result = done(walled, ['box'], by, 'zone');
      expect(covered(result), JSON.stringify(by)).toEqual([]);
      expect(result.find(({ id }) => id === 'box')?.parent).toBe('zone');
      for (const id of ['left', 'middle', 'above', 'far left'])
        expect(result.find((one) => one.id === id)).toEqual(walled.find((one) => one.id === id));
    }
  });

  it('moves nothing that is locked: it goes elsewhere, or nowhere and says why', () => {
    const full = [
      ...NODES,
      card('middle', 250, 60, 'zone'),
      card('above', 100, -110),
      card('far left', -220, 60),
    ];
    const lock = (...ids: string[]) => full.map((one) => ({ ...one, locked: ids.includes(one.id) }));
    const result = done(lock('beside'), ['box'], { x: 600, y: -600 }, 'zone');
    expect(covered(result)).toEqual([]);
    expect(result.find(({ id }) => id === 'beside')?.position).toEqual({ x: 740, y: 60 });
    expect(movedInto(sceneOf(lock('beside', 'below')), ['box'], { x: 600, y: -600 }, 'zone')).toEqual({
      refusal: 'There is no room in “zone”: “beside” and “below” are locked',
      advice: 'Unlock them first.',
    });
  });

  it('makes room around the groups around its group, too', () => {
    const nodes = [
      group('outer', 0, 0, 340, 300),
      group('inner', 24, 60, 232, 150, 'outer'),
      card('only', 24, 50, 'inner'),
      card('next', 380, 60),
      card('under', 40, 330),
      card('over', 40, -100),
      card('before', -200, 60),
      group('box', 900, 0, 240, 150),
    ];
    const result = done(nodes, ['box'], { x: -850, y: 80 }, 'inner');
    expect(covered(result)).toEqual([]);
  });

  it('keeps several together, and moves what was in the group already', () => {
    const nodes = [...NODES, card('far', 300, 640)];
    const answer = movedInto(sceneOf(nodes), ['far', 'left'], { x: 0, y: -300 }, 'zone') as Operation[];
    expect(answer.map(({ op }) => op)).toEqual(['move_to_group', 'move_nodes']);
    expect(covered(after(nodes, answer))).toEqual([]);
  });

  it('is shown where it will go wherever it is dragged, and what is in the group is read once', () => {
    const reads: string[] = [];
    class WatchedScene extends Scene {
      override childrenOf(id: string): readonly string[] {
        reads.push(id);
        return super.childrenOf(id);
      }
    }
    const scene = new WatchedScene({ nodes: NODES, edges: [] });
    const shown = previewLandings(scene, ['box']);
    for (let x = -200; x < 900; x += 88)
      for (let y = -800; y < -300; y += 56) {
        const landing = landingIn(sceneOf(NODES), ['box'], { x, y }, 'zone');
        if ('refusal' in landing) throw new Error(landing.refusal);
        const place = { x: landing.by.x, y: 600 + landing.by.y, width: 240, height: 150 };
        expect(shown('zone', { x, y }), `${x} ${y}`).toEqual({ frame: landing.frame, places: [place] });
      }
    expect(reads.filter((id) => id === 'zone')).toHaveLength(1);
    const here = { x: 120, y: -556 };
    expect(shown('zone', here)).toBe(shown('zone', { ...here }));
  });
});

describe('moving into a group without dragging', () => {
  it('brings it into the frame, on nothing, as one change', () => {
    expect(wayInto(sceneOf(NODES), ['box'], 'zone')).toEqual({ x: 24, y: -560 });
    for (const ids of [['box'], ['below'], ['beside', 'below']]) {
      const answer = moveTo(sceneOf(NODES), ids, 'zone') as Operation[];
      const result = after(NODES, answer);
      expect(covered(result)).toEqual([]);
      for (const id of ids) expect(result.find((one) => one.id === id)?.parent).toBe('zone');
    }
    expect(moveTo(sceneOf(NODES), ['left'], 'zone')).toEqual([]);
    expect(moveTo(sceneOf(NODES), ['left'], null)).toEqual([
      { op: 'move_to_group', ids: ['left'], group: null },
    ]);
  });
});
