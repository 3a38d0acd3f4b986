/** Finding nodes by words. Pure. */
import type { DiagramNode } from '../protocol/types';
import { TYPE_NAMES } from './kinds';

/**
 * The nodes that every word of the query occurs in, best first, at most `limit`.
 *
 * Looked at are label, id, type and technology; a label that begins with the query comes before others.
 */
export function searchNodes(nodes: readonly DiagramNode[], query: string, limit = 8): DiagramNode[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const ranked = nodes.flatMap((node) => {
    const label = node.label.toLowerCase();
    const all = [label, node.id, node.type, TYPE_NAMES[node.type] ?? '', node.technology]
      .join(' ')
      .toLowerCase();
    if (!words.every((word) => all.includes(word))) return [];
    const rank = label.startsWith(words.join(' ')) ? 0 : words.every((word) => label.includes(word)) ? 1 : 2;
    return [{ node, rank }];
  });
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, limit)
    .map(({ node }) => node);
}
