import { describe, expect, it } from 'vitest';
import { type Box, boxesOverlap } from '../../../src/model/drawing/boxes';
import { BoxIndex } from '../../../src/model/drawing/boxIndex';

describe('an index of boxes', () => {
  it('finds what overlaps, each once, also across cells and below zero', () => {
    const boxes = Array.from({ length: 200 }, (_, at) => ({
      x: ((at * 97) % 1500) - 700,
      y: ((at * 53) % 1100) - 500,
      width: 10 + ((at * 31) % 400),
      height: 5 + ((at * 17) % 90),
    }));
    const index = new BoxIndex<number>();
    boxes.forEach((box, at) => {
      index.add(box, at);
    });
    // As large as a diagram may be: its cells are too many to be listed.
    boxes.push({ x: -1e6, y: -1e6, width: 2e6, height: 2e6 });
    index.add(boxes[200] as Box, 200);
    for (const box of boxes) {
      const expected = boxes.flatMap((other, at) => (boxesOverlap(box, other) ? [at] : []));
      expect([...index.over(box)].sort((a, b) => a - b)).toEqual(expected);
    }
  });

  it('finds no more what was taken out', () => {
    const index = new BoxIndex<string>();
    const [small, large] = [
      { x: 0, y: 0, width: 300, height: 10 },
      { x: -1e6, y: -1e6, width: 2e6, height: 2e6 },
    ];
    index.add(small, 'small');
    index.add(large, 'large');
    index.remove(small, 'small');
    expect([...index.over(small)]).toEqual(['large']);
    index.remove(large, 'large');
    expect(index.over(small).size).toBe(0);
  });
});
