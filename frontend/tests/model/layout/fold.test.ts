/** Drawings that would be longer than a room: what leads back where they are folded, and what becomes of them. */
import ELK, { type ElkNode } from 'elkjs/lib/elk.bundled.js';
import { describe, expect, it } from 'vitest';
import { foldedBack } from '../../../src/model/layout/elk/fold';
import { layoutGraph } from '../../../src/model/layout/elk/graph';
import type { LayoutGraph } from '../../../src/model/layout/elk/libraryGraph';
import { foldedVariants, narrowVariants, type Variant } from '../../../src/model/layout/elk/variants';
import { wholeScope } from '../../../src/model/layout/scope';
import { isFlawless, legibleIn, legibleRoom } from '../../../src/model/layout/score/scores';
import { arrange, type RunLayout } from '../../../src/model/layout/search/arrange';
import type { Diagram } from '../../../src/protocol/types';
import { edge, node } from '../../builders';
import { nestedDiagram } from './nestedDiagram';

const elk = new ELK();
const run: RunLayout = async (graph) => (await elk.layout(graph as ElkNode)) as LayoutGraph;

/** Groups of so many nodes, and one line from the first node to the last; `also` are further lines. */
function groupsInChain(groups: number, size: number, also: readonly [string, string][] = []): Diagram {
  const count = groups * size;
  return {
    nodes: [
      ...Array.from({ length: groups }, (_, at) => node(`g${at}`, { type: 'group' })),
      ...Array.from({ length: count }, (_, at) => node(`n${at}`, { parent: `g${Math.floor(at / size)}` })),
    ],
    edges: [
      ...Array.from({ length: count - 1 }, (_, at) => edge(`n${at}`, `n${at + 1}`)),
      ...also.map(([source, target]) => edge(source, target)),
    ],
  };
}

const back = ({ nodes, edges }: Diagram, most: number) => [...foldedBack(edges, nodes, 'RIGHT', most)];

async function sizeOf(diagram: Diagram, variant: Variant): Promise<{ width: number; height: number }> {
  const scope = wholeScope(diagram);
  if (scope.reason !== undefined) throw new Error(scope.reason);
  const { width = 0, height = 0 } = await run(
    layoutGraph(diagram, scope.parts[0] as (typeof scope.parts)[number], variant),
  );
  return { width, height };
}

describe('a drawing that is folded', () => {
  it('has no line that leads back where it is short enough', () => {
    expect(back(groupsInChain(4, 3), 10_000)).toEqual([]);
  });

  it('goes on beside its first half, with one line between them that leads back', () => {
    // Three nodes of 180 pixels with 70 between, in a frame: a group is 728 long, two are 1,526.
    expect(back(groupsInChain(4, 3), 1600)).toEqual(['n5--n6']);
  });

  it('is folded within a group where that is too long by itself', () => {
    expect(back(groupsInChain(1, 6), 800)).toEqual(['n2--n3']);
  });

  it('turns fewer lines around where it has the choice', () => {
    const doubled = groupsInChain(4, 3, [['n4', 'n7']]);
    expect(back(doubled, 2400)).toHaveLength(1);
    expect(back(doubled, 2400)).not.toContain('n4--n7');
  });

  it('is laid out by the library as short as it was to be, and higher', async () => {
    const diagram = groupsInChain(6, 4);
    const [right] = foldedVariants(null, legibleRoom(null));
    const folded = await sizeOf(diagram, right as Variant);
    const plain = await sizeOf(diagram, { direction: 'RIGHT', shape: 1.6 });
    expect(plain.width).toBeGreaterThan(5000);
    expect(folded.width).toBeLessThan(3756);
    expect(folded.height).toBeGreaterThan(plain.height);
  });

  it('can be read in the room where no other layout can, with nothing wrong in it', async () => {
    const diagram = nestedDiagram(50, 3);
    const request = { diagram, mode: 'scratch', ids: null, room: null, variants: null } as const;
    const { after } = await arrange(request, { run });
    expect(isFlawless(after)).toBe(true);
    expect(legibleIn(after, null)).toBe(1);
    const { after: unfolded } = await arrange({ ...request, variants: 2 }, { run });
    expect(legibleIn(unfolded, null)).toBe(0);
    expect(after.crossings).toBeLessThanOrEqual(unfolded.crossings);
  });
});

describe('rows of few nodes', () => {
  /** Ten nodes below one, all in a group. */
  const fan: Diagram = {
    nodes: [
      node('g', { type: 'group' }),
      node('top', { parent: 'g' }),
      ...Array.from({ length: 10 }, (_, at) => node(`n${at}`, { parent: 'g' })),
    ],
    edges: Array.from({ length: 10 }, (_, at) => edge('top', `n${at}`)),
  };

  it('hold three nodes, and fewer where they are split, also within groups', async () => {
    const [rows, split] = narrowVariants(null) as [Variant, Variant];
    const plain = await sizeOf(fan, { direction: 'DOWN', shape: 1.6 });
    const few = await sizeOf(fan, rows);
    const fewer = await sizeOf(fan, split);
    expect(plain.width).toBeGreaterThan(10 * 180);
    // Three cards with what is between them, or two, in a frame of 24 pixels on either side.
    expect(few.width).toBeLessThan(6 * 180);
    expect(few.width).toBeGreaterThan(3 * 180);
    expect(fewer.width).toBeLessThan(few.width);
    expect(fewer.height).toBeGreaterThan(few.height);
  });
});
