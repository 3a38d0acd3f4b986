/** The parts of a commit that an undo left out, in words, and where they are. Pure; each reason is the server's. */
import type { LeftOut } from '../../protocol/live';

const MAX_NAMED = 4;

/** All of it as one sentence; empty for nothing. */
export function leftOutWords(left: readonly LeftOut[]): string {
  const entries = left.slice(0, MAX_NAMED).map(({ what, why }) => `${what} (${why})`);
  const rest = left.length - entries.length;
  if (rest > 0) entries.push(`${rest} more`);
  return entries.join('; ');
}

export interface LeftOutTargets {
  nodes: string[];
  edges: string[];
  /** All nodes to bring into view, ends of edges among them. */
  sight: string[];
}

interface Places {
  nodes: { has: (id: string) => boolean };
  edges: { get: (id: string) => { source: string; target: string } | undefined };
}

/** The existing nodes and edges among them. */
export function leftOutTargets(left: readonly LeftOut[], { nodes, edges }: Places): LeftOutTargets {
  const ids = [...new Set(left.flatMap((one) => one.ids ?? []))];
  const found: LeftOutTargets = { nodes: [], edges: [], sight: [] };
  for (const id of ids) {
    const edge = edges.get(id);
    if (nodes.has(id)) {
      found.nodes.push(id);
      found.sight.push(id);
    } else if (edge) {
      found.edges.push(id);
      found.sight.push(edge.source, edge.target);
    }
  }
  found.sight = [...new Set(found.sight)];
  return found;
}
