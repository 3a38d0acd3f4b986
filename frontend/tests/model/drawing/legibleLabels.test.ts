/** Where labels of lines stand at each zoom: legible, on their line, on nothing else; or nowhere. */
import { describe, expect, it } from 'vitest';
import { type Box, boxesOverlap, holds } from '../../../src/model/drawing/boxes';
import { drawingOf } from '../../../src/model/drawing/drawing';
import { boxOf, estimatedWidth } from '../../../src/model/drawing/labels';
import { labelsAt } from '../../../src/model/drawing/legibleLabels';
import { crossesBox, segmentsOf } from '../../../src/model/drawing/polyline';
import { edge, node } from '../../builders';

const scaled = ({ x, y, width, height }: Box, by: number): Box => ({
  x: x * by,
  y: y * by,
  width: width * by,
  height: height * by,
});

describe('labels at a zoom', () => {
  const nodes = Array.from({ length: 24 }, (_, at) =>
    node(`n${at}`, { position: { x: (at % 6) * 300, y: Math.floor(at / 6) * 190 } }),
  );
  const edges = nodes.slice(1).map(({ id }, at) => edge(`n${at}`, id, { label: `carries message ${at}` }));
  const drawing = drawingOf({ nodes, edges });

  it.each([1, 0.82, 0.66, 0.52, 0.42, 0.34])(
    'of %f lie on nothing and keep their size on the screen',
    (step) => {
      const free = [...labelsAt(drawing, step, estimatedWidth)].filter(([, { isFree }]) => isFree);
      const boxes = free.map(([, label]) => boxOf({ ...label, x: label.x * step, y: label.y * step }));
      boxes.forEach((box, at) => {
        expect(box.height).toBeGreaterThanOrEqual(20);
        for (const other of boxes.slice(at + 1)) expect(boxesOverlap(box, other)).toBe(false);
        for (const card of drawing.nodes) expect(boxesOverlap(box, scaled(card.box, step))).toBe(false);
      });
      if (step > 0.6) expect(free.length).toBeGreaterThan(2);
    },
  );

  it('have a place for who asks, also where none is free', () => {
    const close = drawingOf({
      nodes: [node('a', { position: { x: 0, y: 0 } }), node('b', { position: { x: 190, y: 0 } })],
      edges: [edge('a', 'b', { label: 'hardly any room' })],
    });
    for (const step of [1, 0.5]) {
      const [label] = [...labelsAt(close, step, estimatedWidth).values()];
      expect(label?.isFree).toBe(false);
      expect(label?.x).toBeGreaterThan(150);
      expect(label?.x).toBeLessThan(220);
    }
    for (const { isFree } of labelsAt(drawing, 0.1, estimatedWidth).values()) expect(isFree).toBe(false);
  });

  it('keep off bends of their line and off other lines, where the line is long enough', () => {
    const bent = drawingOf({
      nodes: [node('a', { position: { x: 0, y: 0 } }), node('b', { position: { x: 600, y: 300 } })],
      edges: [
        edge('a', 'b', {
          label: 'asks for stock',
          route: [
            { x: 400, y: 36 },
            { x: 400, y: 336 },
          ],
        }),
      ],
    });
    const [label] = bent.edges.map((one) => one.label);
    const bends = bent.edges[0]?.points.slice(1, -1) ?? [];
    expect(bends.length).toBeGreaterThan(0);
    for (const bend of bends) expect(label && holds(boxOf(label), bend)).toBe(false);
    const straight = (y: number, at: string) => ({
      nodes: [node(`${at}1`, { position: { x: 0, y } }), node(`${at}2`, { position: { x: 900, y } })],
      edges: [edge(`${at}1`, `${at}2`, { label: `passes ${at}` })],
    });
    const [one, other] = [straight(0, 'left'), straight(200, 'right')];
    const across = edge('top', 'bottom');
    const crossed = drawingOf({
      nodes: [
        ...one.nodes,
        ...other.nodes,
        node('top', { position: { x: 450, y: -300 } }),
        node('bottom', { position: { x: 450, y: 500 } }),
      ],
      edges: [...one.edges, ...other.edges, across],
    });
    const line = crossed.edges.find(({ edge: { id } }) => id === across.id)?.points ?? [];
    for (const { label: placed } of crossed.edges)
      if (placed)
        for (const segment of segmentsOf(line)) expect(crossesBox(segment, boxOf(placed))).toBe(false);
  });

  it('stay in sight where everything is shown, if their line allows it', () => {
    const around = drawingOf({
      nodes: [node('a', { position: { x: 0, y: 0 } }), node('b', { position: { x: 600, y: 1400 } })],
      edges: [
        edge('a', 'b', {
          label: 'asks who somebody is',
          route: [
            { x: -20, y: 36 },
            { x: -20, y: 1300 },
            { x: 690, y: 1300 },
          ],
        }),
      ],
    });
    for (const step of [0.66, 0.52]) {
      const [label] = [...labelsAt(around, step, estimatedWidth).values()];
      expect(label && boxOf({ ...label, x: label.x * step, y: label.y * step }).x).toBeGreaterThanOrEqual(
        -24,
      );
    }
  });
});
