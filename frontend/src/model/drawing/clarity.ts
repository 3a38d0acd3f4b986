/** Flaws in a drawing that make it hard to read, in words: overlapping labels, lines through nodes. Pure. */
import { type Box, boxesOverlap, inflated } from './boxes';
import type { Drawing } from './drawing';
import { boxOf } from './labels';
import { crossesBox, segmentsOf } from './polyline';

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
