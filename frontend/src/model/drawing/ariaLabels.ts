/** Labels of nodes and edges for screen readers. Pure. */
import { type DiagramEdge, isAnnotation } from '../../protocol/types';
import { counted, KIND_NAMES, typeName } from '../words/kinds';
import type { DrawnNode } from './drawing';

/** "Orders, Service, FastAPI, 3 of 15, 4 connections, locked". */
export function describeNode(
  { node, connections, isLocked, folded }: DrawnNode,
  place: { at: number; count: number },
  mark: string | null = null,
): string {
  const parts = [node.label, typeName(node)];
  if (isAnnotation(node.type) && node.description) parts.push(node.description);
  if (node.technology) parts.push(node.technology);
  if (node.image) parts.push('with an image');
  if (folded !== null) parts.push(`collapsed, ${counted(folded, 'node')} inside`);
  parts.push(`${place.at} of ${place.count}`, counted(connections, 'connection'));
  if (isLocked) parts.push('locked');
  if (mark) parts.push(mark);
  return parts.join(', ');
}

const BETWEEN: Readonly<Record<string, string>> = { both: 'and back', none: 'without direction' };

/** "From Orders to Orders DB, reads, Synchronous call". */
export function describeEdge(
  edge: DiagramEdge,
  source: string,
  target: string,
  mark: string | null = null,
): string {
  const parts = [`From ${source} to ${target}`];
  const direction = BETWEEN[edge.direction];
  if (direction) parts.push(direction);
  if (edge.label) parts.push(edge.label);
  if (edge.shape) parts.push(`${edge.shape} line`);
  parts.push(KIND_NAMES[edge.kind] ?? edge.kind);
  if (mark) parts.push(mark);
  return parts.join(', ');
}
