/**
 * Validation of the operations that the page predicts: types, lengths, ranges, and the stored form of values. Twin of
 * the server's `transform/operations.py`, whose table is docs/operations.md.
 *
 * Form only: whether an operation fits the workspace is checked where it is resolved (`predict*.ts`).
 */
import type { Operation, OperationOf } from '../../protocol/live';
import { MAX_COORDINATE, rounded } from './numbers';
import { NotPredicted, Refused } from './refusal';
import { type Fields, own } from './values';

/** Kinds of operations that the page can predict. */
export type PredictedKind =
  | 'add_node'
  | 'update_node'
  | 'delete_node'
  | 'delete_nodes'
  | 'move_nodes'
  | 'add_edge'
  | 'update_edge'
  | 'delete_edge'
  | 'rewire_edge'
  | 'group_nodes'
  | 'ungroup_nodes'
  | 'move_to_group'
  | 'rename_workspace';

/** A validated operation: known fields only, values as they are stored. */
export type Read<K extends PredictedKind = PredictedKind> = OperationOf<K>;

type Reader = (value: unknown) => unknown;
interface Field {
  read: Reader;
  isRequired: boolean;
  isNullable: boolean;
}
type Form<K extends PredictedKind> = { [F in Exclude<keyof OperationOf<K>, 'op'>]-?: Field };

const need = (read: Reader): Field => ({ read, isRequired: true, isNullable: false });
const needOrNull = (read: Reader): Field => ({ read, isRequired: true, isNullable: true });
const may = (read: Reader): Field => ({ read, isRequired: false, isNullable: true });
const mayNotNull = (read: Reader): Field => ({ read, isRequired: false, isNullable: false });

const NUL = String.fromCharCode(0);
const SPACE = /\p{White_Space}/u;

const id = text(1, 200);
const longText = text(0, 10_000);
const nodeLabel = text(1, 120, 'stripped');
const edgeLabel = text(0, 200, 'stripped');
const propertyKey = text(1, 64);
const propertyValue = text(0, 1_000);
const properties = mapOf(propertyKey, propertyValue, 50);
const patch = mapOf(propertyKey, orNull(propertyValue), 50);
const position = record({
  x: number(-MAX_COORDINATE, MAX_COORDINATE),
  y: number(-MAX_COORDINATE, MAX_COORDINATE),
});
const size = record({ width: number(20, 20_000), height: number(20, 20_000) });
const route = listOf(position, 0, 100);
const ids = listOf(id, 1, 500);
const kind = oneOf('sync', 'async', 'data', 'dependency');
const direction = oneOf('forward', 'both', 'none');
const texts = { description: may(longText), technology: may(text(0, 200)), notes: may(longText) };
const deletion = { bridge: mayNotNull(flag), children: mayNotNull(oneOf('up', 'delete')) };
const address = { id: may(id), source: may(id), target: may(id), label: may(edgeLabel) };
const edgeWords = { label: may(edgeLabel), kind: may(kind), direction: may(direction) };

const FORMS: { [K in PredictedKind]: Form<K> } = {
  add_node: {
    ...texts,
    id: may(id),
    type: need(text(0, 64)),
    label: need(nodeLabel),
    properties: may(properties),
    position: may(position),
    near: may(id),
    size: may(size),
    parent: may(id),
    locked: may(flag),
  },
  update_node: {
    ...texts,
    id: need(id),
    type: may(text(0, 64)),
    label: may(nodeLabel),
    properties: may(patch),
    position: may(position),
    size: may(size),
    locked: may(flag),
  },
  delete_node: { ...deletion, id: need(id) },
  delete_nodes: { ...deletion, ids: need(ids) },
  move_nodes: {
    positions: need(mapOf(id, position, 10_000)),
    sizes: may(mapOf(id, orNull(size), 10_000)),
    routes: may(mapOf(id, orNull(route), 20_000)),
  },
  add_edge: {
    ...edgeWords,
    id: may(id),
    source: need(id),
    target: need(id),
    description: may(longText),
    properties: may(properties),
    route: may(route),
  },
  update_edge: {
    ...edgeWords,
    id: may(id),
    source: may(id),
    target: may(id),
    current_label: may(edgeLabel),
    description: may(longText),
    properties: may(patch),
    route: may(route),
  },
  delete_edge: address,
  rewire_edge: { ...address, new_source: may(id), new_target: may(id) },
  group_nodes: { id: may(id), label: need(nodeLabel), ids: need(ids), description: may(longText) },
  ungroup_nodes: { id: need(id) },
  move_to_group: { ids: need(ids), group: needOrNull(id), positions: may(mapOf(id, position, 500)) },
  rename_workspace: { name: need(text(1, 200, 'stripped')) },
};

/**
 * Validates an operation; a field that is undefined counts as absent.
 *
 * Throws NotPredicted: only the server resolves its kind. Throws Refused: it is not of the right form.
 */
export function readOperation(operation: Operation): Read {
  if (!Object.hasOwn(FORMS, operation.op))
    throw new NotPredicted(`'${operation.op}' is resolved by the server`);
  const form: { [name: string]: Field } = FORMS[operation.op as PredictedKind];
  const { op, ...given } = operation as unknown as Record<string, unknown>;
  const names = Object.keys(given).filter((name) => given[name] !== undefined);
  for (const name of names)
    if (!Object.hasOwn(form, name)) throw new Refused('field_unknown', `'${op}' has no field '${name}'.`);
  for (const [name, field] of Object.entries(form))
    if (field.isRequired && !names.includes(name))
      throw new Refused('field_missing', `'${name}' is missing.`);
  const values = names.map((name) => [name, readField(name, form[name] as Field, given[name])] as const);
  return { op, ...Object.fromEntries(values) } as unknown as Read;
}

function readField(name: string, field: Field, value: unknown): unknown {
  if (value === null && field.isNullable) return null;
  try {
    return field.read(value);
  } catch (error) {
    if (!(error instanceof WrongForm)) throw error;
    throw new Refused(error.code, `'${name}': ${error.message}.`);
  }
}

class WrongForm extends Error {
  constructor(
    message: string,
    readonly code = 'field_invalid',
  ) {
    super(message);
  }
}

function text(least: number, most: number, way: 'as it is' | 'stripped' = 'as it is'): Reader {
  return (value) => {
    if (typeof value !== 'string') throw new WrongForm('should be a text');
    if (value.length < least) throw new WrongForm(`should have at least ${least} characters`);
    // Characters are code points, which are never more than units.
    if (value.length > most && [...value].length > most)
      throw new WrongForm(`should have at most ${most} characters`);
    const kept = way === 'stripped' ? stripped(value) : value;
    if (kept.length < least) throw new WrongForm('must not be empty');
    if (kept.includes(NUL)) throw new WrongForm('must not hold the NUL character');
    if (/\p{Surrogate}/u.test(kept)) throw new WrongForm('must not hold half a surrogate pair');
    return kept;
  };
}

/** Without white space at both ends, as Unicode has it: `trim` keeps NEL and takes the byte order mark away. */
function stripped(value: string): string {
  let [from, to] = [0, value.length];
  while (from < to && SPACE.test(value.charAt(from))) from++;
  while (to > from && SPACE.test(value.charAt(to - 1))) to--;
  return value.slice(from, to);
}

function number(least: number, most: number): Reader {
  return (value) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) throw new WrongForm('must be a finite number');
    if (value < least || value > most) throw new WrongForm(`should lie between ${least} and ${most}`);
    return rounded(value);
  };
}

function flag(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new WrongForm('should be true or false');
  return value;
}

function oneOf(...words: string[]): Reader {
  return (value) => {
    if (!words.includes(value as string)) throw new WrongForm(`should be one of ${words.join(', ')}`);
    return value;
  };
}

function orNull(read: Reader): Reader {
  return (value) => (value === null ? null : read(value));
}

function listOf(read: Reader, least: number, most: number): Reader {
  return (value) => {
    if (!Array.isArray(value)) throw new WrongForm('should be a list');
    if (value.length < least || value.length > most)
      throw new WrongForm(`should hold ${least} to ${most} items`);
    return value.map((item) => read(item));
  };
}

function mapOf(readKey: Reader, read: Reader, most: number): Reader {
  return (value) => {
    const entries = Object.entries(plainObject(value));
    if (entries.length > most) throw new WrongForm(`should hold at most ${most} entries`);
    return Object.fromEntries(entries.map(([key, item]) => [readKey(key), read(item)]));
  };
}

function record(readers: { [name: string]: Reader }): Reader {
  const names = Object.keys(readers);
  return (value) => {
    const given = plainObject(value);
    if (Object.keys(given).some((name) => !names.includes(name)))
      throw new WrongForm(`should hold ${names.join(' and ')} alone`, 'field_unknown');
    if (!names.every((name) => Object.hasOwn(given, name)))
      throw new WrongForm(`should hold ${names.join(' and ')}`, 'field_missing');
    return Object.fromEntries(names.map((name) => [name, readers[name]?.(own(given, name))]));
  };
}

function plainObject(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new WrongForm('should be an object');
  return value as Fields;
}
