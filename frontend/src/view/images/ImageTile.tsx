/** A node's image in the place of its type's icon; the icon stays where it cannot be drawn, with a tip that says why. */
import '../styles/node-images.css';
import type { DiagramNode } from '../../protocol/types';
import { TypeTile } from '../drawing/TypeTile';
import { useOwnImage } from './useOwnImage';

type Props = Pick<DiagramNode, 'type' | 'color' | 'image' | 'custom'>;

export function ImageTile(node: Props) {
  const { source, isDrawn, note, tries, onLoad, onError } = useOwnImage(node.image);
  return (
    <span className="image-tile" title={note || undefined} aria-hidden="true">
      {!isDrawn && <TypeTile type={node.type} color={node.color} custom={node.custom} />}
      {source && (
        <img
          key={`${source} ${tries}`}
          src={source}
          alt=""
          hidden={!isDrawn}
          decoding="async"
          draggable={false}
          onLoad={onLoad}
          onError={onError}
        />
      )}
    </span>
  );
}
