import ELK, { type ElkNode } from 'elkjs/lib/elk.bundled.js';
import { describe, expect, it } from 'vitest';
import { placeNodes } from '../../../src/model/drawing/boxes';
import { drawingOf } from '../../../src/model/drawing/drawing';
import { repacked } from '../../../src/model/layout/elk/components';
import type { LayoutGraph } from '../../../src/model/layout/elk/libraryGraph';
import { packed } from '../../../src/model/layout/elk/packing';
import { withMoves } from '../../../src/model/layout/moves';
import { scoreOf } from '../../../src/model/layout/score/judge';
import { arrange, type RunLayout } from '../../../src/model/layout/search/arrange';
import type { Diagram } from '../../../src/protocol/types';
import { edge, node } from '../../builders';

const elk = new ELK();
const run: RunLayout = async (graph) => (await elk.layout(graph as ElkNode)) as LayoutGraph;

async function tidied(diagram: Diagram): Promise<Diagram> {
  const request = { diagram, mode: 'scratch' as const, ids: null, room: null, variants: null };
  const { operation } = await arrange(request, { run });
  return withMoves(diagram, operation);
}

describe('boxes', () => {
  it('are packed in rows of about the shape asked for, in their order, none on another', () => {
    const boxes = Array.from({ length: 18 }, (_, at) => ({ width: 200 + (at % 3) * 60, height: 100 }));
    const { width, height, corners } = packed(boxes, 1.6);
    expect(width / height).toBeGreaterThan(1);
    expect(width / height).toBeLessThan(2.6);
    corners.slice(1).forEach(({ x, y }, at) => {
      const before = corners[at] as { x: number; y: number };
      const isRight = y === before.y && x >= before.x + (boxes[at]?.width ?? 0) + 40;
      expect(isRight || (x === 0 && y >= before.y + 140)).toBe(true);
    });
  });

  it('stay where they are when there are none, or only one', () => {
    expect(packed([], 1.6)).toEqual({ width: 0, height: 0, corners: [] });
    expect(packed([{ width: 90, height: 50 }], 1.6).corners).toEqual([{ x: 0, y: 0 }]);
  });
});

describe('components of a laid out graph', () => {
  const groups = Array.from({ length: 12 }, (_, at) => `g${at}`);
  const column = (parent: string | null): Diagram => ({
    nodes: groups.flatMap((id) => [
      node(id, { type: 'group', parent }),
      node(`${id}a`, { parent: id }),
      node(`${id}b`, { parent: id }),
    ]),
    edges: groups.map((id) => edge(`${id}a`, `${id}b`)),
  });

  it('get about the shape of the room, whether at the top or in a group', async () => {
    const inner = column('outer');
    for (const diagram of [
      column(null),
      { ...inner, nodes: [node('outer', { type: 'group' }), ...inner.nodes] },
    ]) {
      const { shape, overlaps, framesOverFrames, coincident } = scoreOf(await tidied(diagram));
      expect([overlaps, framesOverFrames, coincident]).toEqual([0, 0, 0]);
      expect(shape).toBeGreaterThan(1);
      expect(shape).toBeLessThan(2.5);
    }
  });

  it('stand in the order of their first nodes', async () => {
    const { nodes } = await tidied(column(null));
    const placed = placeNodes(nodes);
    const corners = groups.map((id) => placed.get(id)?.box ?? { x: 0, y: 0 });
    const inOrder = [...corners].sort((one, other) => one.y - other.y || one.x - other.x);
    expect(corners).toEqual(inOrder);
  });

  it('take their lines along', async () => {
    const { nodes, edges } = await tidied(column(null));
    for (const { points } of drawingOf({ nodes, edges }).edges) expect(points).toHaveLength(2);
  });

  it('that are packed well already are left alone', () => {
    const graph: LayoutGraph = {
      id: '',
      children: [
        { id: 'a', x: 0, y: 0, width: 100, height: 60 },
        { id: 'b', x: 148, y: 0, width: 100, height: 60 },
      ],
      edges: [],
    };
    expect(repacked(graph, { shape: 3, leastOf: () => ({ width: 0, height: 0 }) })).toBe(graph);
  });
});
