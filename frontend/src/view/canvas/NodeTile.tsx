/**
 * What stands for a node on its card where some node has an image or an icon: its image, else the icon of its technology or of its
 * custom type, else that of its built-in type.
 */
import type { DiagramNode } from '../../protocol/types';
import { TypeTile } from '../drawing/TypeTile';
import { laterInBackground } from '../ui/loading/later';

const ImageTile = laterInBackground(async () => (await import('../images/ImageTile')).ImageTile, TypeTile);
const TechnologyTile = laterInBackground(
  async () => (await import('../images/TechnologyTile')).TechnologyTile,
  TypeTile,
);

export type Tiled = Pick<DiagramNode, 'type' | 'color' | 'image' | 'technology' | 'custom'>;

export const hasTile = ({ image, technology, custom }: Tiled): boolean =>
  Boolean(image || technology || custom?.icon);

export function NodeTile(node: Tiled) {
  if (node.image) return <ImageTile {...node} />;
  return hasTile(node) ? <TechnologyTile {...node} /> : <TypeTile {...node} />;
}
