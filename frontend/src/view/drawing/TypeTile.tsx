/** A node type's icon on a square of its colour. */
import { Box } from 'lucide-react';
import type { CSSProperties } from 'react';
import { colorOf, type OfCustomType, tintNameOf } from '../../model/core/customTypes';
import type { DiagramNode } from '../../protocol/types';
import { TYPE_ICONS } from './typeIcons';

interface Props extends OfCustomType {
  type: string;
  color?: string;
}

export function TypeTile(props: Props) {
  // A server newer than this page may know more types.
  const Icon = TYPE_ICONS[props.type] ?? Box;
  return (
    <span className="type-tile" style={tintOf(tintNameOf(props))} aria-hidden="true">
      <Icon size={17} strokeWidth={1.9} />
    </span>
  );
}

/** The colour of a type, or one that a node or a line has of its own, as a variable. */
export const tintOf = (name: string, variable = '--tint'): CSSProperties =>
  ({ [variable]: `var(--tint-${name}, var(--tint-other))` }) as CSSProperties;

/** Attributes of a node that is drawn in a colour and style, its own or that of its custom type, or as usual. */
export const looksOf = (node: DiagramNode) => ({
  'data-color': colorOf(node) || undefined,
  'data-style': node.style || undefined,
  style: tintOf(tintNameOf(node)),
});
