/** How lines and borders are drawn: by kind, by style, in a colour of their own; as `view/styles/looks.css` has it. Pure. */
import type { DiagramEdge, DiagramNode, EdgeKind, Style } from '../../protocol/types';
import type { Palette } from './palette';
import type { Attributes } from './xml';

const KINDS: Readonly<Record<string, Attributes>> = {
  sync: { 'stroke-width': 1.5 },
  async: { 'stroke-width': 1.5, 'stroke-dasharray': '6 4' },
  data: { 'stroke-width': 2.5 },
  dependency: { 'stroke-width': 1.5, 'stroke-dasharray': '1.5 4', 'stroke-linecap': 'round' },
} satisfies Record<EdgeKind, object>;

const LINES: Readonly<Record<string, Attributes>> = {
  '': {},
  solid: { 'stroke-width': 1.5, 'stroke-dasharray': null, 'stroke-linecap': null },
  dashed: { 'stroke-width': 1.5, 'stroke-dasharray': '6 4', 'stroke-linecap': null },
  dotted: { 'stroke-width': 1.5, 'stroke-dasharray': '1.5 4', 'stroke-linecap': 'round' },
  bold: { 'stroke-width': 3 },
  muted: {},
} satisfies Record<Style, Attributes>;

const BORDERS: Readonly<Record<string, Attributes>> = {
  '': {},
  solid: { 'stroke-dasharray': null },
  dashed: { 'stroke-dasharray': '4 3' },
  dotted: { 'stroke-dasharray': '1 3', 'stroke-linecap': 'round', 'stroke-width': 1.5 },
  bold: { 'stroke-width': 2 },
  muted: {},
} satisfies Record<Style, Attributes>;

/** The share that is left of a muted icon. Words stay as legible as others. */
export const MUTED = 0.6;
/** The same of a muted line with its arrow heads, which is thinner instead: its contrast to the canvas stays above 3 : 1. */
export const MUTED_LINE = 0.9;

export const isMuted = ({ style }: Pick<DiagramNode, 'style'>): boolean => style === 'muted';

/** Of a line, without its colour. */
export const lineAttributes = ({ kind, style }: Pick<DiagramEdge, 'kind' | 'style'>): Attributes => ({
  ...(KINDS[kind] ?? KINDS.sync),
  ...LINES[style],
  ...(style === 'muted' && { 'stroke-width': kind === 'data' ? 1.75 : 1 }),
});

/** Of a border that is drawn in a colour, and with dashes, where it has no look of its own. */
export function borderAttributes(
  { color, style }: Pick<DiagramNode, 'color' | 'style'>,
  usual: { stroke: string; 'stroke-dasharray': string | null },
  palette: Palette,
): Attributes {
  const isStronger = style === 'dashed' || style === 'dotted' || style === 'bold';
  const stroke = color ? palette.tint(color) : isStronger ? palette.color('text-3') : usual.stroke;
  const isFaint = color !== '' && style === 'muted';
  return { ...usual, stroke, ...BORDERS[style], ...(isFaint && { 'stroke-opacity': 0.5 }) };
}
