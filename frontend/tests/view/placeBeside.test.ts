import { describe, expect, it } from 'vitest';
import { placeBeside } from '../../src/view/ui/overlay/placeBeside';

const ROOM = { width: 400, height: 300 };
const TIP = { width: 100, height: 24 };
const at = (left: number, top: number) => ({ left, top, width: 32, height: 32 });

describe('placing a box beside another', () => {
  it('centres it below', () => {
    expect(placeBeside(at(200, 100), TIP, ROOM)).toEqual({ x: 166, y: 138 });
  });

  it('goes above where there is no room below, and below where there is none above', () => {
    expect(placeBeside(at(200, 260), TIP, ROOM).y).toBe(230);
    expect(placeBeside(at(200, 10), TIP, ROOM, 'above').y).toBe(48);
  });

  it('stays in sight at both edges', () => {
    expect(placeBeside(at(0, 100), TIP, ROOM).x).toBe(6);
    expect(placeBeside(at(368, 100), TIP, ROOM).x).toBe(294);
  });
});
