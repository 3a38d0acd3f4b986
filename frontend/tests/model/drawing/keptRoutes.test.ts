import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { XY } from '../../../src/model/core/workspace';
import { alongRoute } from '../../../src/model/drawing/borders';
import { type Ends, keptRoute } from '../../../src/model/drawing/keptRoutes';

interface Case {
  name: string;
  shape?: string;
  route: XY[];
  before: Ends;
  after: Ends;
  kept: XY[];
  line?: XY[];
}

// Kept by `tests/unit/test_hand_routes.py`, which the server's rule passes as well.
const FILE = join(process.cwd(), '../tests/fixtures/hand-routes.json');
const CASES: Case[] = JSON.parse(readFileSync(FILE, 'utf8'));

describe('a route by hand, as on the server', () => {
  it.each(CASES)('$name', ({ shape, route, before, after, kept, line }) => {
    expect(keptRoute(route, before, after, shape === 'straight')).toEqual(kept);
    if (line) expect(alongRoute(kept, ...after)).toEqual(line);
  });
});
