/** A node type's icon on a square of its colour. */
import { Box } from 'lucide-react';
import type { CSSProperties } from 'react';
import type { NodeType } from '../../protocol/types';
import { TYPE_ICONS } from './typeIcons';

export function TypeTile({ type }: { type: NodeType }) {
  // A server newer than this page may know more types.
  const Icon = TYPE_ICONS[type] ?? Box;
  return (
    <span className="type-tile" style={tintOf(type)} aria-hidden="true">
      <Icon size={17} strokeWidth={1.9} />
    </span>
  );
}

export const tintOf = (type: NodeType): CSSProperties =>
  ({ '--tint': `var(--tint-${type}, var(--tint-other))` }) as CSSProperties;
