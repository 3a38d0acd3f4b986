/**
 * JSON values and sparse fields: what nodes, edges and steps are made of.
 *
 * Values are immutable, so that states, steps and readers may share them. An empty field is absent; `properties.<key>`
 * is one property. Not here: which fields there are (`workspace.ts`).
 */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

export type Fields = { readonly [field: string]: Json | undefined };

const PROPERTY = 'properties.';

/** The key of a field like `properties.<key>`; null for any other field. */
export function propertyKey(field: string): string | null {
  return field.startsWith(PROPERTY) ? field.slice(PROPERTY.length) : null;
}

/** Reads a sparse field; null where it is absent. */
export function fieldOf(fields: Fields, field: string): Json {
  const key = propertyKey(field);
  if (key === null) return own(fields, field);
  const properties = own(fields, 'properties');
  return properties === null ? null : own(properties as Fields, key);
}

/** An own property of an object; keys come from users, `constructor` among them. */
export function own(fields: Fields, key: string): Json {
  return Object.hasOwn(fields, key) ? (fields[key] ?? null) : null;
}

/** The fields with some set anew; null removes a field. */
export function withFields<T extends Fields>(fields: T, values: Iterable<readonly [string, Json]>): T {
  const next: Record<string, Json | undefined> = { ...fields };
  for (const [field, value] of values) {
    const key = propertyKey(field);
    if (key !== null) setField(next, 'properties', withProperty(own(next, 'properties'), key, value));
    else setField(next, field, value);
  }
  return next as T;
}

function setField(fields: Record<string, Json | undefined>, field: string, value: Json): void {
  if (value === null) delete fields[field];
  else fields[field] = value;
}

function withProperty(properties: Json, key: string, value: Json): Json {
  // A computed key of a literal is a key like any other, even `__proto__`.
  const next: Record<string, Json | undefined> = { ...(properties as Fields | null), [key]: value };
  if (value === null) delete next[key];
  return Object.keys(next).length > 0 ? next : null;
}

/** Whether two JSON values are equal; the order of keys does not matter. */
export function same(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((value, at) => same(value, other[at]));
  }
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => Object.hasOwn(other, key) && same((one as Fields)[key], (other as Fields)[key]));
}
