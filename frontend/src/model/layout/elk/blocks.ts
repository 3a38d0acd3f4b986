/** Nodes without any edge as one block of rows, of about the shape of the room. Pure. */
import type { Size } from '../../../protocol/types';
import type { LayoutGraph } from './libraryGraph';

const GAP = 40;
/** No id of a node has it. */
const MARK = '\n';

export const blockId = (parent: string): string => `${MARK}${parent}`;

export const isBlock = ({ id }: LayoutGraph): boolean => id.startsWith(MARK);

/** Fixed in itself: the library places it as one box. The nodes are children, at their places in it. */
export function blockOf(id: string, sizes: readonly (Size & { id: string })[], shape: number): LayoutGraph {
  const width = Math.max(...sizes.map((one) => one.width));
  const height = Math.max(...sizes.map((one) => one.height));
  const wanted = Math.sqrt((sizes.length * shape * (height + GAP)) / (width + GAP));
  const columns = Math.min(sizes.length, Math.max(1, Math.round(wanted)));
  const rows = Math.ceil(sizes.length / columns);
  return {
    id,
    layoutOptions: { 'elk.algorithm': 'fixed', 'elk.hierarchyHandling': 'SEPARATE_CHILDREN' },
    width: columns * (width + GAP) - GAP,
    height: rows * (height + GAP) - GAP,
    children: sizes.map((one, index) => ({
      ...one,
      x: (index % columns) * (width + GAP),
      y: Math.floor(index / columns) * (height + GAP),
    })),
  };
}
