/** Defining custom types: what may be written, the operations for it, and types that come along with copied nodes. Pure. */
import type { Operation, OperationOf } from '../../protocol/live';
import {
  type CustomType,
  type CustomTypes,
  type Diagram,
  type DiagramNode,
  isAnnotation,
  NODE_TYPES,
  type NodeType,
} from '../../protocol/types';
import { definitionOf } from '../core/customTypes';
import { TYPE_NAMES } from '../words/kinds';
import { freeSlug } from './ids';

export const MOST_TYPES = 50;
export const LONGEST_NAME = 60;
export const LONGEST_ICON = 60;

/** Types that a custom type can be based on here: notes and texts show no icon, and groups have no custom type. */
export const BASES: readonly NodeType[] = NODE_TYPES.filter((type) => type !== 'group' && !isAnnotation(type));

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
  const found = Object.entries(types ?? {}).filter(([id, one]) => key === keyOf(id) || key === keyOf(one.name));
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

/** An id for a custom type: a slug of its name. */
export const typeIdFor = (name: string, types: CustomTypes): string =>
  freeSlug(name, 'type', (id) => BUILT_IN.has(keyOf(id)) || customTypeNamed(id, types) !== null);

type Definition = OperationOf<'define_type'>;

export function definition(id: string, { name, base, icon, color }: CustomType): Definition {
  return {
    op: 'define_type',
    id,
    label: name.trim(),
    type: base as Definition['type'],
    ...(icon && { technology: icon }),
    ...(color && { color: color as NonNullable<Definition['color']> }),
  };
}

/** How many nodes are of each custom type. */
export function usesOf({ nodes }: Pick<Diagram, 'nodes'>): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  for (const { custom, custom_type: id } of nodes) if (custom && id) uses.set(id, (uses.get(id) ?? 0) + 1);
  return uses;
}

/** The custom types of copied nodes where they are pasted. */
export interface Brought {
  /** Definitions of those that are not there yet and have room. */
  operations: Operation[];
  /** The type that a copied node gets: one that is there, or comes along; else its base. */
  typeOf: (node: DiagramNode) => string;
}

/** A type is known again by its id, or by its name. */
export function broughtTypes(nodes: readonly DiagramNode[], here: CustomTypes = {}): Brought {
  const types: Record<string, CustomType> = { ...here };
  const operations: Operation[] = [];
  const idOf = new Map<string, string>();
  for (const { custom, custom_type: id } of nodes) {
    if (!custom || !id || idOf.has(id)) continue;
    const known = customTypeNamed(id, types) ?? customTypeNamed(custom.name, types);
    if (known === null && Object.keys(types).length >= MOST_TYPES) continue;
    const found = known ?? typeIdFor(custom.name, types);
    if (known === null) {
      types[found] = custom;
      operations.push(definition(found, custom));
    }
    idOf.set(id, found);
  }
  return { operations, typeOf: ({ type, custom_type: id }) => idOf.get(id ?? '') ?? type };
}
