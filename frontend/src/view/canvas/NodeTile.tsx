/** What stands for a node on its card where some node has an image: its image, or the icon of its type. */
import type { DiagramNode } from '../../protocol/types';
import { TypeTile } from '../drawing/TypeTile';
import { laterInBackground } from '../ui/loading/later';

const ImageTile = laterInBackground(async () => (await import('../images/ImageTile')).ImageTile, TypeTile);

export function NodeTile({ type, color, image }: Pick<DiagramNode, 'type' | 'color' | 'image'>) {
  return image ? (
    <ImageTile type={type} color={color} image={image} />
  ) : (
    <TypeTile type={type} color={color} />
  );
}
