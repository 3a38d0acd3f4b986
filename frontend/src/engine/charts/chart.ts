/**
 * A chart of Mermaid as boxes and lines, in one form for all kinds, as `backend/draftsmith/model/mermaid/parsed_chart.py` reads it.
 * Texts are as Mermaid keeps them: with tags, marks and entities, which are read there.
 */
import { color } from 'd3-color';

export type ChartKind = 'flowchart' | 'c4' | 'architecture' | 'class' | 'state' | 'er' | 'sequence';

export interface Box {
  /** What the chart calls it, unique among its boxes. */
  name: string;
  text: string;
  /** What it is in the words of its kind: a shape, a stereotype, an icon; `note` in every kind. */
  word: string;
  is_group?: boolean;
  /** The group that it stands in; empty for none. */
  inside?: string;
  /** Its name is the parser's and may be another one's the next time. */
  is_nameless?: boolean;
  technology?: string;
  description?: string;
  properties?: Record<string, string>;
  classes?: string[];
  /** Its own declarations, without those of its classes. */
  styles?: string[];
  /** Of its filling and of its border, as far as it has any: `#rrggbb`. */
  colors?: string[];
  is_dashed?: boolean;
}

export interface Line {
  source: string;
  target: string;
  text: string;
  kind: 'sync' | 'async' | 'data' | 'dependency';
  direction: 'forward' | 'both' | 'none';
  technology?: string;
  description?: string;
  properties?: Record<string, string>;
  styles?: string[];
  curve?: string;
  colors?: string[];
  is_dashed?: boolean;
}

/** Something that is neither a box nor a line. */
export interface LeftOut {
  text: string;
  reason: string;
}

export interface Parts {
  boxes: Box[];
  lines: Line[];
  left_out: LeftOut[];
  /** As Mermaid says it: `TB`, `LR` and so on. */
  direction?: string;
  title?: string;
}

/** What a database of a parser has, as text: texts, numbers, and the objects in which some of them wrap these. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.map(textOf).join('\n');
  return typeof value === 'object' && value !== null ? textOf(Object.values(value)[0]) : '';
}

/** The entries that say something, as texts. */
export function filled(properties: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(properties)
      .map(([key, value]) => [key, textOf(value).trim()] as const)
      .filter(([, value]) => value !== ''),
  );
}

/** The colours and the dashes of declarations of CSS, of which the last counts. */
export function looksOf(declarations: readonly string[]): { colors: string[]; is_dashed: boolean } {
  const said = new Map<string, string>();
  for (const declaration of declarations.flatMap((one) => textOf(one).split(/[;,]/))) {
    const at = declaration.indexOf(':');
    if (at > 0) said.set(declaration.slice(0, at).trim(), declaration.slice(at + 1).trim());
  }
  const dashes = said.get('stroke-dasharray') ?? '0';
  return { colors: colorsOf([said.get('fill'), said.get('stroke')]), is_dashed: /[1-9]/.test(dashes) };
}

/** Colours of CSS as `#rrggbb`; what is none is left out. */
export const colorsOf = (values: readonly unknown[]): string[] =>
  values.flatMap((value) => {
    const found = color(textOf(value).replace('!important', '').trim());
    return found && found.opacity > 0 ? [found.formatHex()] : [];
  });
