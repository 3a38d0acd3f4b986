/** A node type's icon on a square of its colour. */
import { Box } from 'lucide-react';
import type { CSSProperties } from 'react';
import { TYPE_ICONS } from './typeIcons';

export function TypeTile({ type }: { type: string }) {
  // A server newer than this page may know more types.
  const Icon = TYPE_ICONS[type] ?? Box;
  return (
    <span className="type-tile" style={tintOf(type)} aria-hidden="true">
      <Icon size={17} strokeWidth={1.9} />
    </span>
  );
}

export const tintOf = (type: string): CSSProperties =>
  ({ '--tint': `var(--tint-${type}, var(--tint-other))` }) as CSSProperties;
