/**
 * Which icon a technology has: by its name or another usual one, exactly, and never by likeness. Case, spaces, dots, hyphens and
 * underscores make no difference, nor does a version behind the name; of several, as in "PostgreSQL 17, PostGIS", it is the first.
 * The server finds icons by the same rule (`model/technologies.py`). Pure. Not here: where icons are (`view/images`).
 */

export interface TechnologyIcon {
  id: string;
  /** Of its technology; the first is the usual one. */
  names: readonly string[];
  /** Where it is, below the address of the server. */
  file: string;
}

/** Icons by everything that they are known by. */
export type IconTable = ReadonlyMap<string, TechnologyIcon>;

/** How a picture refers to an icon. */
export const iconAddress = ({ id }: TechnologyIcon): string => `icons/${id}`;

export function tableOf(icons: readonly TechnologyIcon[]): IconTable {
  const table = new Map<string, TechnologyIcon>();
  for (const icon of icons)
    for (const key of icon.names.map(keyOf)) if (!table.has(key)) table.set(key, icon);
  return table;
}

/** The icon of a technology; null if there is none by exactly such a name. */
export function iconFor(technology: string, table: IconTable): TechnologyIcon | null {
  for (const key of keysOf(technology)) {
    const found = table.get(key);
    if (found) return found;
  }
  return null;
}

const NEXT = /[,;(]| [/+&|] /;
const VERSION = / v?[0-9][0-9.x]*\+? ?$/;

/** What a technology may be known by, best first. */
export function keysOf(technology: string): string[] {
  const first = technology.split(NEXT, 1)[0] ?? '';
  return [technology, technology.replace(VERSION, ''), first, first.replace(VERSION, '')].map(keyOf);
}

/** A name as it is compared. */
export const keyOf = (name: string): string => name.toLowerCase().replaceAll(/[ \t._-]/g, '');
