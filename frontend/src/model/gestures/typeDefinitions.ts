/** Defining custom types: the operations for it, and types that come along with copied nodes. Pure. Not here: names (`typeNames.ts`). */
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
import { customTypeNamed, typeIdFor } from './typeNames';

export const MOST_TYPES = 50;
export const LONGEST_ICON = 60;

/** Types that a custom type can be based on here: notes and texts show no icon, and groups have no custom type. */
export const BASES: readonly NodeType[] = NODE_TYPES.filter(
  (type) => type !== 'group' && !isAnnotation(type),
);

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

const FIELDS = ['name', 'base', 'icon', 'color'] as const;

/** A definition as somebody has edited it, with what others have changed meanwhile of what was left as it was before. */
export function withOthersChanges(edited: CustomType, before: CustomType, now: CustomType): CustomType {
  const left = FIELDS.filter((field) => (edited[field] ?? '') === (before[field] ?? ''));
  return { ...edited, ...Object.fromEntries(left.map((field) => [field, now[field]])) };
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
