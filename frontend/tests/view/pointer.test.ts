import { describe, expect, it } from 'vitest';
import { pointAt } from '../../src/view/tour/pointer';

const ROOM = { width: 1000, height: 800 };
const SIZE = { width: 300, height: 160 };

describe('where a pointer goes', () => {
  it('is beside the thing, its arrow at the middle of it', () => {
    const palette = { left: 0, top: 100, width: 60, height: 400 };
    expect(pointAt(palette, SIZE, ROOM, ['right'])).toEqual({ x: 72, y: 220, side: 'right', arrow: 80 });
  });

  it('is all in sight, its arrow still at the thing', () => {
    const button = { left: 940, top: 10, width: 32, height: 32 };
    expect(pointAt(button, SIZE, ROOM, ['below'])).toEqual({ x: 692, y: 54, side: 'below', arrow: 264 });
  });

  it('is on the first side that has room', () => {
    const pane = { left: 600, top: 60, width: 400, height: 700 };
    expect(pointAt(pane, SIZE, ROOM, ['right', 'left', 'below']).side).toBe('left');
  });

  it('keeps its arrow off the corners', () => {
    const corner = { left: 0, top: 0, width: 10, height: 10 };
    expect(pointAt(corner, SIZE, ROOM, ['below']).arrow).toBe(20);
  });

  it('lies over the thing where there is no room beside it', () => {
    const everything = { left: 0, top: 0, width: 1000, height: 800 };
    const { x, y } = pointAt(everything, SIZE, ROOM, ['right', 'left']);
    expect(x + SIZE.width).toBeLessThanOrEqual(ROOM.width);
    expect(y + SIZE.height).toBeLessThanOrEqual(ROOM.height);
  });
});
