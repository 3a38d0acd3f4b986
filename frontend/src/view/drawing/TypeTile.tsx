/** A node type's icon on a square of its colour. */
import { Box } from 'lucide-react';
import type { CSSProperties } from 'react';
import type { DiagramNode } from '../../protocol/types';
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

/** The colour of a type, or one that a node or a line has of its own, as a variable. */
export const tintOf = (name: string, variable = '--tint'): CSSProperties =>
  ({ [variable]: `var(--tint-${name}, var(--tint-other))` }) as CSSProperties;

/** Attributes of a node that is drawn in a colour and style of its own, or as usual. */
export const looksOf = ({ type, color, style }: DiagramNode) => ({
  'data-color': color || undefined,
  'data-style': style || undefined,
  style: tintOf(color || type),
});
