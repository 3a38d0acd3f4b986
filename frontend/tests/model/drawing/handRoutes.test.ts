import { describe, expect, it } from 'vitest';
import { drawingOf } from '../../../src/model/drawing/drawing';
import { movedDrawing, updatedDrawing } from '../../../src/model/drawing/incremental';
import { startKeptRoutes } from '../../../src/model/drawing/keptRoutes';
import { pointAt } from '../../../src/model/drawing/labels';
import { labelsAt } from '../../../src/model/drawing/legibleLabels';
import { lengthOf } from '../../../src/model/drawing/polyline';
import { svgOf } from '../../../src/model/export/svg';
import { operationBetween } from '../../../src/model/layout/moves';
import type { Diagram, DiagramEdge } from '../../../src/protocol/types';
import { edge, node } from '../../builders';

const BENDS = [
  { x: 300, y: 36 },
  { x: 300, y: 236 },
];
const diagramWith = (given: Partial<DiagramEdge>): Diagram => ({
  nodes: [
    node('a', { position: { x: 0, y: 0 } }),
    node('b', { position: { x: 500, y: 200 } }),
    // On the way of the line.
    node('c', { position: { x: 260, y: 100 } }),
  ],
  edges: [edge('a', 'b', { id: 'e', ...given })],
});
const lineOf = (diagram: Diagram) => drawingOf(diagram).edges[0]?.points;

describe('a line by hand', () => {
  it('is drawn where it was bent, also through a node that is in its way', () => {
    const line = [{ x: 180, y: 36 }, ...BENDS, { x: 500, y: 236 }];
    expect(lineOf(diagramWith({ route: BENDS, route_by: 'hand' }))).toEqual(line);
    expect(lineOf(diagramWith({ route: BENDS }))).not.toEqual(line);
    expect(lineOf(diagramWith({ route_by: 'hand' }))).toEqual(lineOf(diagramWith({})));
  });

  it('begins and ends at borders, though its bends lie under nodes', () => {
    const diagram = diagramWith({ route: BENDS, route_by: 'hand' });
    const [a] = diagram.nodes;
    const onto = { ...diagram, nodes: [{ ...a, position: { x: 200, y: 0 } }, ...diagram.nodes.slice(1)] };
    expect(lineOf(onto as Diagram)).toEqual([
      { x: 300, y: 72 },
      { x: 300, y: 236 },
      { x: 500, y: 236 },
    ]);
  });

  it('follows a node while that is dragged', () => {
    startKeptRoutes();
    const before = drawingOf(diagramWith({ route: BENDS, route_by: 'hand' }));
    const [moved] = movedDrawing(before, new Map([['a', { x: 0, y: 20 }]])).edges;
    expect(moved?.points).toEqual([
      { x: 180, y: 56 },
      { x: 300, y: 56 },
      { x: 300, y: 236 },
      { x: 500, y: 236 },
    ]);
    expect(movedDrawing(before, new Map([['c', { x: 0, y: 400 }]])).edges[0]).toBe(before.edges[0]);
  });

  it('is left to follow its ends where a layout moves them', () => {
    const before = diagramWith({ route: BENDS, route_by: 'hand' });
    const after = {
      nodes: before.nodes.map((one) => ({ ...one, position: { x: one.position.x, y: one.position.y + 10 } })),
      edges: before.edges.map((one) => ({ ...one, route: [{ x: 1, y: 2 }] })),
    };
    expect(operationBetween(before, after)?.routes).toBeUndefined();
    const found = { ...before, edges: before.edges.map((one) => ({ ...one, route_by: null })) };
    expect(operationBetween(found, after)?.routes).toEqual({ e: [{ x: 1, y: 2 }] });
  });
});

describe('a label that was put somewhere on its line', () => {
  const diagram = diagramWith({ route: BENDS, route_by: 'hand', label: 'calls', label_at: 0.9 });
  const there = (points: readonly { x: number; y: number }[]) => pointAt(points, lengthOf(points) * 0.9);

  it.each(['full', 'quick'] as const)('stands there with %s routing, in pictures too', (routing) => {
    const [drawn] = drawingOf(diagram, { routing }).edges;
    expect(drawn?.label).toMatchObject(there(drawn?.points ?? []));
    const svg = svgOf(drawingOf(diagram, { routing }))?.svg ?? '';
    const [, x, width] = /class="edge-label".*?<rect x="([\d.]+)"[^>]* width="([\d.]+)"/s.exec(svg) ?? [];
    expect(Number(x) + Number(width) / 2).toBeCloseTo(there(drawn?.points ?? []).x, 0);
  });

  it('stands there at any zoom, and is shown though it lies on something', () => {
    const onNode = diagramWith({ route: BENDS, route_by: 'hand', label: 'calls', label_at: 0.5 });
    for (const step of [1, 0.5]) {
      const drawing = drawingOf(onNode);
      const label = labelsAt(drawing, step, (text) => text.length * 7).get('e');
      const points = drawing.edges[0]?.points ?? [];
      const middle = pointAt(points, lengthOf(points) / 2);
      expect(label?.x).toBeCloseTo(middle.x);
      expect(label?.y).toBeCloseTo(middle.y);
      expect(label?.isFree).toBe(true);
    }
  });

  it('moves with its line, and when it is put elsewhere', () => {
    const before = drawingOf(diagram);
    const moved = movedDrawing(before, new Map([['b', { x: 500, y: 400 }]]));
    expect(moved.edges[0]?.label).toMatchObject(there(moved.edges[0]?.points ?? []));
    const [one] = diagram.edges;
    const later = updatedDrawing(before, { ...diagram, edges: [{ ...one, label_at: 0.1 } as DiagramEdge] });
    const points = later.edges[0]?.points ?? [];
    expect(later.edges[0]?.label).toMatchObject(pointAt(points, lengthOf(points) * 0.1));
  });
});
