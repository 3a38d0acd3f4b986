/** The `[old, new]` pairs of changed fields, which steps on nodes and edges hold. */
import { checkPropertyCount } from './transaction';
import { type Fields, fieldOf, type Json, own, propertyKey, same } from './values';

/** Fields to set, in order; null clears. */
export type Values = Map<string, Json>;
export type Pairs = { [field: string]: [Json, Json] };

/** The pairs of fields that change, in order. Throws Refused: more properties than allowed. */
export function pairsOf(now: Fields, values: Values): Pairs {
  const pairs: [string, [Json, Json]][] = [];
  let growth = 0;
  for (const [field, value] of values) {
    const old = fieldOf(now, field);
    if (same(old, value)) continue;
    pairs.push([field, [old, value]]);
    if (propertyKey(field) !== null) growth += Number(value !== null) - Number(old !== null);
  }
  checkPropertyCount(Object.keys(own(now, 'properties') ?? {}).length, growth);
  return Object.fromEntries(pairs);
}

/** A patch of properties as fields; null clears all. */
export function propertyValues(now: Fields, patch: Fields | null): Values {
  const keys = Object.keys(patch ?? own(now, 'properties') ?? {});
  return new Map(keys.map((key) => [`properties.${key}`, patch === null ? null : own(patch, key)]));
}

export function isEmptyPairs(pairs: Pairs): boolean {
  return Object.keys(pairs).length === 0;
}
