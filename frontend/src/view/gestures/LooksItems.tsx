/** Colour and style in the context menu: of a node, a line, or all that is selected, changed as one step. */
import { createLucideIcon, LineStyle, type LucideIcon, Palette } from 'lucide-react';
import { lockRefusal } from '../../model/gestures/locks';
import { COLOR_NAMES, STYLE_NAMES } from '../../model/words/looks';
import type { Color, Style } from '../../protocol/types';
import { useEditorContext, useLive, useUiState } from '../context/EditorContext';
import { MenuChoices, SubMenu } from '../ui/overlay/Menu';
import { useToasts } from '../ui/overlay/Toasts';
import { sceneOf } from './actions';

/** Samples in the place of icons; the usual colour and style have none. */
const SWATCHES = samples(Object.keys(COLOR_NAMES), (color) => [
  'circle',
  { key: color, cx: 12, cy: 12, r: 8, fill: `var(--tint-${color})`, stroke: 'none' },
]);
const STROKES: Readonly<Record<string, object>> = {
  dashed: { strokeDasharray: '5 3.5', strokeLinecap: 'butt' },
  dotted: { strokeDasharray: '0.1 4.4', strokeWidth: 2.4 },
  bold: { strokeWidth: 4 },
  muted: { strokeWidth: 1.2, opacity: 0.7 },
};
const LINES = samples(Object.keys(STYLE_NAMES), (style) => [
  'path',
  { key: style, d: 'M2 12h20', ...STROKES[style] },
]);

type Shape = Parameters<typeof createLucideIcon>[1][number];

function samples(names: readonly string[], shape: (name: string) => Shape): ReadonlyMap<string, LucideIcon> {
  return new Map(names.filter(Boolean).map((name) => [name, createLucideIcon(name, [shape(name)])]));
}

const choicesOf = (names: Readonly<Record<string, string>>, icons: ReadonlyMap<string, LucideIcon>) =>
  Object.entries(names).map(([value, text]) => {
    const icon = icons.get(value);
    return { value, text, ...(icon && { icon }) };
  });

const COLORS = choicesOf(COLOR_NAMES, SWATCHES);
const STYLES = choicesOf(STYLE_NAMES, LINES);

export function LooksItems() {
  const context = useEditorContext();
  const toasts = useToasts();
  const selection = useUiState((state) => state.selection);
  const diagram = useLive((live) => live.diagram);
  const nodes = diagram.nodes.filter(({ id }) => selection.nodes.has(id));
  const edges = diagram.edges.filter(({ id }) => selection.edges.has(id));
  const give = (change: { color: Color | null } | { style: Style | null }) => {
    const touched = [...selection.nodes, ...edges.flatMap(({ source, target }) => [source, target])];
    const lock = lockRefusal(sceneOf(context), touched, 'Nothing was changed');
    if (lock) toasts.show({ text: lock.refusal, detail: lock.advice });
    else
      void context.edit([
        ...nodes.map(({ id }) => ({ op: 'update_node', id, ...change }) as const),
        ...edges.map(({ id }) => ({ op: 'update_edge', id, ...change }) as const),
      ]);
  };
  return (
    <>
      <SubMenu icon={Palette} label="Colour">
        <MenuChoices
          label="Colour"
          value={common([...nodes, ...edges].map(({ color }) => color))}
          choices={COLORS}
          onChoose={(color) => give({ color: (color || null) as Color | null })}
        />
      </SubMenu>
      <SubMenu icon={LineStyle} label="Style">
        <MenuChoices
          label="Style"
          value={common([...nodes, ...edges].map(({ style }) => style))}
          choices={STYLES}
          onChoose={(style) => give({ style: (style || null) as Style | null })}
        />
      </SubMenu>
    </>
  );
}

/** What all have; no choice where they differ. */
const common = (values: readonly string[]): string => {
  const [first = '', ...others] = new Set(values);
  return others.length === 0 ? first : ' ';
};
