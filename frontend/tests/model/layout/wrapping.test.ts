/** Long chains: a strip that nobody can read becomes several rows, with nothing wrong in them. */
import ELK, { type ElkNode } from 'elkjs/lib/elk.bundled.js';
import { describe, expect, it } from 'vitest';
import { layoutByLevels } from '../../../src/model/layout/elk/levels';
import type { LayoutGraph } from '../../../src/model/layout/elk/libraryGraph';
import { wholeScope } from '../../../src/model/layout/scope';
import { isFlawless, scaleOf } from '../../../src/model/layout/score/scores';
import { arrange, type RunLayout } from '../../../src/model/layout/search/arrange';
import { edge, node } from '../../builders';

const elk = new ELK();
const run: RunLayout = async (graph) => (await elk.layout(graph as ElkNode)) as LayoutGraph;
const room = { width: 1376, height: 710 };

/** One line from the first to the last, in groups of so many; all in no group for 0. */
function chain(count: number, inGroups: number) {
  const groups = inGroups > 0 ? Math.ceil(count / inGroups) : 0;
  const nodes = [
    ...Array.from({ length: groups }, (_, at) => node(`g${at}`, { type: 'group' })),
    ...Array.from({ length: count }, (_, at) =>
      node(`n${at}`, groups > 0 ? { parent: `g${Math.floor(at / inGroups)}` } : {}),
    ),
  ];
  const edges = Array.from({ length: count - 1 }, (_, at) => edge(`n${at}`, `n${at + 1}`));
  return { nodes, edges };
}

async function scoreOf(diagram: ReturnType<typeof chain>) {
  const { after } = await arrange({ diagram, mode: 'scratch', ids: null, room, variants: null }, { run });
  return after;
}

describe('a chain', () => {
  it.each([
    [12, 0],
    [30, 0],
    [60, 20],
    [300, 25],
  ])('of %i nodes in groups of %i goes on in other rows', async (count, inGroups) => {
    const score = await scoreOf(chain(count, inGroups));
    expect(isFlawless(score)).toBe(true);
    expect(score.crossings).toBe(0);
    expect(score.shape).toBeGreaterThan(1);
    expect(score.shape).toBeLessThan(4);
  });

  it('that can be read in one row stays in it', async () => {
    const score = await scoreOf(chain(5, 0));
    expect(scaleOf(score, room)).toBe(1);
    expect(score.bends).toBe(0);
  });
});

describe('a layout of chains in several rows', () => {
  it('lays a long chain out in rows alone, in each direction once', async () => {
    const diagram = chain(24, 12);
    const asked: (string | undefined)[] = [];
    const counting: RunLayout = (graph) => {
      asked.push(graph.layoutOptions?.['elk.layered.wrapping.strategy']);
      return run(graph);
    };
    const scope = wholeScope(diagram);
    if (scope.reason !== undefined) throw new Error(scope.reason);
    const shapes = { outer: 1.6, inner: 1.6, wraps: true };
    await layoutByLevels(diagram, scope.parts[0] as (typeof scope.parts)[number], shapes, counting);
    const inRows = ['MULTI_EDGE', 'MULTI_EDGE'];
    expect(asked).toEqual([...inRows, ...inRows, undefined, undefined, ...inRows]);
  });
});
