/** A node type's icon on a square of its colour. */
import { Box } from 'lucide-react';
import type { CSSProperties } from 'react';
import { TYPE_ICONS } from './typeIcons';

export function TypeTile({ type, color }: { type: string; color?: string }) {
  // A server newer than this page may know more types.
  const Icon = TYPE_ICONS[type] ?? Box;
  return (
    <span className="type-tile" style={tintOf(color || type)} aria-hidden="true">
      <Icon size={17} strokeWidth={1.9} />
    </span>
  );
}

/** The colour of a type, or one that a node has in place of it. */
export const tintOf = (name: string): CSSProperties =>
  ({ '--tint': `var(--tint-${name}, var(--tint-other))` }) as CSSProperties;
