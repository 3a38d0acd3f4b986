/** What custom types can be called, and which one a name means. Pure. */
import { type CustomTypes, NODE_TYPES } from '../../protocol/types';
import { definitionOf } from '../core/customTypes';
import { TYPE_NAMES } from '../words/kinds';
import { slugOf } from './ids';

export const LONGEST_NAME = 60;
const LONGEST_ID = 64;

/** What names and ids of types have in common that differ in letter case, white space, hyphens and underscores alone. */
const keyOf = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .split(/[\s\p{Cc}_-]+/u)
    .filter(Boolean)
    .join(' ');

const BUILT_IN: ReadonlySet<string> = new Set(
  NODE_TYPES.flatMap((type) => [keyOf(type), keyOf(TYPE_NAMES[type] ?? type)]),
);

/** The custom type that an id or a name means; null if none or several are called so. */
export function customTypeNamed(name: string, types: CustomTypes | undefined): string | null {
  if (definitionOf(types, name)) return name;
  const key = keyOf(name);
  const found = Object.entries(types ?? {}).filter(
    ([id, one]) => key === keyOf(id) || key === keyOf(one.name),
  );
  return found.length === 1 ? (found[0]?.[0] ?? null) : null;
}

/** Why a custom type cannot have a name; null if it can. */
export function typeNameProblem(name: string, types: CustomTypes, besides: string | null): string | null {
  if (name.trim() === '') return 'A type needs a name.';
  if ([...name.trim()].length > LONGEST_NAME) return `A name has ${LONGEST_NAME} characters at most.`;
  if (BUILT_IN.has(keyOf(name))) return `“${name.trim()}” is a built-in type. Choose another name.`;
  const { [besides ?? '']: _, ...others } = types;
  return customTypeNamed(name, others) === null ? null : 'Another type has this name.';
}

/** An id for a custom type: a slug of its name, numbered where that is taken. */
export function typeIdFor(name: string, types: CustomTypes): string {
  const slug = slugOf(name) || 'type';
  const isTaken = (id: string) => BUILT_IN.has(keyOf(id)) || customTypeNamed(id, types) !== null;
  for (let number = 1; ; number++) {
    const ending = number === 1 ? '' : `-${number}`;
    const id = slug.slice(0, LONGEST_ID - ending.length) + ending;
    if (!isTaken(id)) return id;
  }
}
