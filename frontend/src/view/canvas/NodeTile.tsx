/**
 * What stands for a node on its card where some node has an image or a technology: its image, else the icon of its technology,
 * else that of its type.
 */
import type { DiagramNode } from '../../protocol/types';
import { TypeTile } from '../drawing/TypeTile';
import { laterInBackground } from '../ui/loading/later';

const ImageTile = laterInBackground(async () => (await import('../images/ImageTile')).ImageTile, TypeTile);
const TechnologyTile = laterInBackground(
  async () => (await import('../images/TechnologyTile')).TechnologyTile,
  TypeTile,
);

export function NodeTile({
  type,
  color,
  image,
  technology,
}: Pick<DiagramNode, 'type' | 'color' | 'image' | 'technology'>) {
  if (image) return <ImageTile type={type} color={color} image={image} />;
  if (technology) return <TechnologyTile type={type} color={color} technology={technology} />;
  return <TypeTile type={type} color={color} />;
}
