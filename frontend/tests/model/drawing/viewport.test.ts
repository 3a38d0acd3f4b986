/** What is looked at when a diagram is drawn on a canvas of another size. */
import { describe, expect, it } from 'vitest';
import type { Box } from '../../../src/model/drawing/boxes';
import { keptView, type Sight, type Viewport } from '../../../src/model/drawing/viewport';

const WIDE = { width: 1316, height: 840 };
const NARROW = { width: 650, height: 840 };
/** The centre of the canvas is at (1000, 500) of the diagram. */
const sight = (zoom: number): Sight => ({
  ...WIDE,
  zoom,
  x: WIDE.width / 2 - 1000 * zoom,
  y: WIDE.height / 2 - 500 * zoom,
});
const card = (x: number, y = 500): Box => ({ x: x - 90, y: y - 36, width: 180, height: 72 });
const centreOf = ({ x, y, zoom }: Viewport, { width, height } = NARROW) => ({
  x: (width / 2 - x) / zoom,
  y: (height / 2 - y) / zoom,
});

describe('a view that is kept', () => {
  it('has the same centre, and is as large where what was in sight has room', () => {
    const view = keptView(sight(1), NARROW, [card(900), card(1100)], []);
    expect(view.zoom).toBe(1);
    expect(centreOf(view)).toEqual({ x: 1000, y: 500 });
  });

  it('is smaller where it has not, so that all of it is in sight', () => {
    const view = keptView(sight(1), NARROW, [card(450), card(1100)], []);
    expect(centreOf(view)).toMatchObject({ x: expect.closeTo(1000), y: expect.closeTo(500) });
    expect((450 - 90) * view.zoom + view.x).toBeGreaterThan(0);
    expect(view.zoom).toBeGreaterThan(0.45);
  });

  it('minds only what is selected where some of that is in sight', () => {
    const all = [card(450), card(1100), card(5000)];
    expect(keptView(sight(1), NARROW, all, [card(1100)]).zoom).toBe(1);
    expect(keptView(sight(1), NARROW, all, [card(5000)]).zoom).toBeLessThan(1);
  });

  it('is as large where nothing was in sight, and never larger', () => {
    expect(keptView(sight(0.7), NARROW, [card(9000)], []).zoom).toBe(0.7);
    const wider = keptView({ ...sight(0.7), ...NARROW }, WIDE, [card(900)], []);
    expect(wider.zoom).toBe(0.7);
  });
});
