import { describe, expect, it } from 'vitest';
import { placeNodes } from '../../../src/model/drawing/boxes';
import { node } from '../../builders';

const boxOf = (nodes: ReturnType<typeof node>[], id: string) => placeNodes(nodes).get(id)?.box;

describe('boxes of nodes', () => {
  it('draws a node without a size 180 by 72', () => {
    expect(boxOf([node('a', { position: { x: 5, y: 6 } })], 'a')).toEqual({
      x: 5,
      y: 6,
      width: 180,
      height: 72,
    });
  });

  it('adds up positions through every group around a node', () => {
    const nodes = [
      node('leaf', { parent: 'inner', position: { x: 3, y: 4 } }),
      node('inner', { type: 'group', parent: 'outer', position: { x: 30, y: 50 } }),
      node('outer', { type: 'group', position: { x: 100, y: 200 } }),
    ];
    expect(boxOf(nodes, 'leaf')).toMatchObject({ x: 133, y: 254 });
    expect(placeNodes(nodes).get('leaf')?.depth).toBe(2);
  });

  it('grows a group to its children with 24 pixels around and 40 above', () => {
    const nodes = [
      node('g', { type: 'group', size: { width: 100, height: 100 } }),
      node('a', { parent: 'g', position: { x: 30, y: 60 } }),
      node('b', { parent: 'g', position: { x: 300, y: 200 } }),
    ];
    expect(boxOf(nodes, 'g')).toEqual({ x: 0, y: 0, width: 300 + 180 + 24, height: 200 + 72 + 24 });
  });

  it('takes the stored size of a group as a minimum', () => {
    const nodes = [
      node('g', { type: 'group', size: { width: 900, height: 700 } }),
      node('a', { parent: 'g', position: { x: 30, y: 60 } }),
    ];
    expect(boxOf(nodes, 'g')).toMatchObject({ width: 900, height: 700 });
  });

  it('grows to the left and upwards without moving the children', () => {
    const nodes = [
      node('g', { type: 'group', position: { x: 500, y: 500 } }),
      node('a', { parent: 'g', position: { x: -10, y: 0 } }),
    ];
    expect(boxOf(nodes, 'a')).toMatchObject({ x: 490, y: 500 });
    expect(boxOf(nodes, 'g')).toMatchObject({ x: 466, y: 460 });
  });

  it('grows an outer group around an inner one that has grown', () => {
    const nodes = [
      node('outer', { type: 'group' }),
      node('inner', { type: 'group', parent: 'outer', position: { x: 24, y: 40 } }),
      node('leaf', { parent: 'inner', position: { x: 400, y: 40 } }),
    ];
    expect(boxOf(nodes, 'inner')?.width).toBe(604);
    expect(boxOf(nodes, 'outer')?.width).toBe(24 + 604 + 24);
  });

  it('still draws nodes whose parents are missing or go in a circle', () => {
    const nodes = [
      node('lost', { parent: 'nowhere', position: { x: 1, y: 2 } }),
      node('x', { type: 'group', parent: 'y' }),
      node('y', { type: 'group', parent: 'x' }),
    ];
    expect(placeNodes(nodes).size).toBe(3);
    expect(boxOf(nodes, 'lost')).toMatchObject({ x: 1, y: 2 });
  });

  it('keeps the order of the nodes', () => {
    const nodes = [node('b', { parent: 'a' }), node('a', { type: 'group' }), node('c')];
    expect([...placeNodes(nodes).keys()]).toEqual(['b', 'a', 'c']);
  });
});
