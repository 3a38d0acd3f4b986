/** Diagrams to measure the canvas with. */

export interface Grid {
  nodes: { id: string; type: string; label: string; technology: string; position: { x: number; y: number } }[];
  edges: { id: string; source: string; target: string; label: string }[];
}

const TYPES = ['service', 'database', 'queue', 'cache', 'worker', 'api'];

/** A grid of nodes and lines, mostly between neighbours, a third with a label. */
export function gridOf(size: number, lines: number): Grid {
  const columns = Math.ceil(Math.sqrt(size));
  const nodes = Array.from({ length: size }, (_, i) => ({
    id: `n${i}`,
    type: TYPES[i % TYPES.length] as string,
    label: `Node ${i}`,
    technology: i % 3 ? '' : 'PostgreSQL 17',
    position: { x: (i % columns) * 280, y: Math.floor(i / columns) * 160 },
  }));
  const edges = Array.from({ length: lines }, (_, i) => {
    const source = i % size;
    const target = (source + (i < size ? (i % 2 ? 1 : columns) : 2)) % size;
    return { id: `e${i}`, source: `n${source}`, target: `n${target}`, label: i % 3 ? '' : 'writes to' };
  });
  return { nodes, edges };
}
