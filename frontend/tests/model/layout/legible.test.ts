import { describe, expect, it } from 'vitest';
import { drawingOf } from '../../../src/model/drawing/drawing';
import { legibleNames, ROOMS } from '../../../src/model/layout/score/legible';
import type { DiagramNode } from '../../../src/protocol/types';
import { node } from '../../builders';

const card = (id: string, x: number, y: number, given: Partial<DiagramNode> = {}) =>
  node(id, { position: { x, y }, size: { width: 180, height: 72 }, ...given });
const namesIn = (...nodes: DiagramNode[]) => legibleNames(drawingOf({ nodes, edges: [] }));
/** So wide a drawing shows cards of 180 pixels with the least width in a room. */
const widest = (room: { width: number }) => (room.width * 180) / 60;

describe('names that can be read where everything is shown', () => {
  it('are all those of a small drawing', () => {
    expect(namesIn(card('a', 0, 0), card('b', 400, 0))).toEqual({
      all: { nodes: 2, groups: 0 },
      diagram: { nodes: 2, groups: 0 },
      split: { nodes: 2, groups: 0 },
    });
  });

  it('need cards of 60 pixels on the screen, in each room by itself', () => {
    const across = (width: number) => namesIn(card('a', 0, 0), card('b', width - 180, 0));
    expect(across(widest(ROOMS.split))).toMatchObject({ diagram: { nodes: 2 }, split: { nodes: 2 } });
    expect(across(widest(ROOMS.split) + 10)).toMatchObject({ diagram: { nodes: 2 }, split: { nodes: 0 } });
    expect(across(widest(ROOMS.diagram) + 10)).toMatchObject({ diagram: { nodes: 0 }, split: { nodes: 0 } });
  });

  it('need 24 pixels of height, too, and are counted card by card', () => {
    const low = { size: { width: 180, height: 20 } };
    const high = { size: { width: 180, height: 100 } };
    const down = namesIn(card('a', 0, 0, low), card('b', 0, 1900, high));
    expect(down.diagram).toEqual({ nodes: 1, groups: 0 });
  });

  it('are those of groups where the frame is wide enough and no other title is in the way', () => {
    const frame = (id: string, x: number, y: number, given: Partial<DiagramNode> = {}) =>
      node(id, { type: 'group', position: { x, y }, size: { width: 300, height: 200 }, ...given });
    const far = card('far', 3000, 0);
    expect(namesIn(frame('g', 0, 0, { label: 'Storage' }), far)).toMatchObject({
      all: { nodes: 1, groups: 1 },
      diagram: { groups: 1 },
      split: { groups: 0 },
    });
    const inner = frame('h', 0, 0, { parent: 'g', label: 'Inner' });
    expect(namesIn(frame('g', 0, 0, { label: 'Outer' }), inner, far).diagram.groups).toBe(2);
    const third = frame('i', 0, 0, { parent: 'h', label: 'Third' });
    expect(namesIn(frame('g', 0, 0, { label: 'Outer' }), inner, third, far).diagram.groups).toBe(3);
    const same = ['k', 'l', 'm'].map((id) => frame(id, 0, 0, { label: id.repeat(9) }));
    expect(namesIn(...same, far).diagram.groups).toBe(2);
  });
});
