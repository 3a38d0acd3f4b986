/** Search in custom types. Pure; apart from `search.ts`, since the first view can do without it. */
import type { CustomType, CustomTypes } from '../../protocol/types';
import { TYPE_NAMES } from './kinds';
import { rankByWords } from './search';

/** The custom types that match a query, best first; all of them, by name, for an empty one. */
export function searchCustomTypes(
  types: CustomTypes | undefined,
  query = '',
): { id: string; custom: CustomType }[] {
  const named = Object.entries(types ?? {}).map(([id, custom]) => {
    const { name, base, icon = '' } = custom;
    return { id, custom, title: name, words: `${TYPE_NAMES[base] ?? base} ${icon} ${id}` };
  });
  return rankByWords(
    named.sort((one, other) => one.title.localeCompare(other.title)),
    query,
  );
}
