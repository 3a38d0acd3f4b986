/**
 * Custom types: types that a workspace has beside the built-in ones, a name, an icon and a colour for one of them, the base. Twin of
 * the server's `model/custom_types.py`.
 *
 * A node keeps the base as its `type` and has the id of the custom type beside it. That counts while there is such a type and its
 * base is what the node is; else it is as if it was absent.
 */
import type { CustomType, CustomTypes } from '../../protocol/types';
import { own } from './values';

/** What nodes have of a custom type: its id as it is stored, and its definition where that counts, which views add. */
export interface OfCustomType {
  custom_type?: string | undefined;
  custom?: CustomType | undefined;
}

type Typed = OfCustomType & { type: string };

/** An id may be the name of something that every object has. */
export const definitionOf = (types: CustomTypes | undefined, id: string): CustomType | undefined =>
  (types && (own(types, id) as CustomType | null)) ?? undefined;

/** What a view of a node has of its custom type. */
export function customOf({ type, custom_type: id }: Typed, types: CustomTypes | undefined): OfCustomType {
  if (!id) return {};
  const custom = definitionOf(types, id);
  return { custom_type: id, ...(custom?.base === type && { custom }) };
}

/** What a node is of the type that an operation gives it: a built-in one, or a custom one by its id. */
export function asType(type: string, types: CustomTypes | undefined): Typed {
  const custom = definitionOf(types, type);
  return custom ? { type: custom.base, custom_type: type, custom } : { type };
}

/** The type of a node as operations name it. */
export const typeIdOf = ({ type, custom_type, custom }: Typed): string => (custom && custom_type) || type;

/** The colour of a node: its own, else that of its custom type; empty for none. */
export const colorOf = ({ color, custom }: OfCustomType & { color?: string }): string =>
  color || custom?.color || '';

/** The name of the tint of a node: its colour, else its built-in type. */
export const tintNameOf = (node: Typed & { color?: string }): string => colorOf(node) || node.type;
