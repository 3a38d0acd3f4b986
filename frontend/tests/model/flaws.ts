/** What must not be seen in a drawing, in words; and the diagrams of the templates to look at. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Box, boxesOverlap, inflated } from '../../src/model/boxes';
import type { Drawing } from '../../src/model/drawing';
import { boxOf } from '../../src/model/labels';
import { crossesBox, segmentsOf } from '../../src/model/polyline';
import type { Diagram } from '../../src/protocol/types';
import { edge, node } from '../builders';

/** Labels over one another or over nodes, and lines through nodes. */
export function flawsOf(drawing: Drawing): string[] {
  const nodes = drawing.nodes.filter((drawn) => drawn.node.type !== 'group');
  const labels: { text: string; box: Box }[] = drawing.edges.flatMap((drawn) =>
    drawn.label ? [{ text: drawn.edge.label, box: boxOf(drawn.label) }] : [],
  );
  const flaws: string[] = [];
  labels.forEach(({ text, box }, at) => {
    for (const other of labels.slice(at + 1))
      if (boxesOverlap(box, other.box)) flaws.push(`label "${text}" over label "${other.text}"`);
    for (const other of nodes)
      if (boxesOverlap(box, other.box)) flaws.push(`label "${text}" over ${other.node.id}`);
  });
  for (const drawn of drawing.edges)
    for (const other of nodes)
      if (segmentsOf(drawn.points).some((piece) => crossesBox(piece, inflated(other.box, -1))))
        flaws.push(`line ${drawn.edge.id} through ${other.node.id}`);
  return flaws;
}

const FOLDER = path.resolve(import.meta.dirname, '../../../backend/draftsmith/templates');

/** Templates that hold a diagram, by name. */
export function templates(): [name: string, diagram: Diagram][] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .map((file): [string, Diagram] => {
      const { diagram } = JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8'));
      const nodes = (diagram?.nodes ?? []).map((given: { id: string }) => node(given.id, given));
      const edges = (diagram?.edges ?? []).map((given: { source: string; target: string }) =>
        edge(given.source, given.target, given),
      );
      return [file.replace('.json', ''), { nodes, edges }];
    })
    .filter(([, { nodes }]) => nodes.length > 0);
}
