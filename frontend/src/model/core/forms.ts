/**
 * Validation of the operations that the page predicts: types, lengths, ranges, and the stored form of values. The forms
 * are the server's, as JSON Schema (`protocol/forms.ts`, generated); docs/operations.md lists them.
 *
 * Form only: whether an operation fits the workspace is checked where it is resolved (`predict*.ts`).
 */
import { OPERATION_FORMS } from '../../protocol/forms';
import type { Operation, OperationOf } from '../../protocol/live';
import { rounded } from './numbers';
import { NotPredicted, Refused } from './refusal';
import { type Fields, own } from './values';

/** Kinds of operations that the page can predict. */
export type PredictedKind = keyof typeof OPERATION_FORMS;

/** A validated operation: known fields only, values as they are stored. */
export type Read<K extends PredictedKind = PredictedKind> = OperationOf<K>;

type Reader = (value: unknown) => unknown;
interface Field {
  read: Reader;
  isRequired: boolean;
  isNullable: boolean;
}

/** As much of JSON Schema as the forms use. */
interface Schema {
  type?: string | readonly string[];
  enum?: readonly (string | null)[];
  anyOf?: readonly Schema[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  properties?: { readonly [name: string]: Schema };
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  maxProperties?: number;
}

const NUL = String.fromCharCode(0);
const SPACE = /\p{White_Space}/u;
/** Names for people lose the white space at both ends. */
const TRIMMED = new Set(['label', 'current_label', 'name']);
/** The longest type; which types there are is judged where the operation is resolved, with candidates. */
const LONGEST_TYPE = 64;

const FORMS = new Map(
  Object.entries(OPERATION_FORMS).map(([op, { required, properties }]) => {
    const needed: readonly string[] = required;
    const fields = Object.entries(properties as { [name: string]: Schema }).map(([name, schema]) => {
      const field: Field = {
        read: readerOf(schema, name),
        isRequired: needed.includes(name),
        isNullable: isNullable(schema),
      };
      return [name, field] as const;
    });
    return [op, Object.fromEntries(fields)] as const;
  }),
);

function isNullable({ type, anyOf = [] }: Schema): boolean {
  return type === 'null' || (typeof type === 'object' && type.includes('null')) || anyOf.some(isNullable);
}

/** What reads a value of a schema; null is taken where the schema takes it. */
function readerOf(schema: Schema, name = ''): Reader {
  const read = valueReaderOf(schema, name);
  return isNullable(schema) ? orNull(read) : read;
}

function valueReaderOf(schema: Schema, name: string): Reader {
  if (name === 'type') return text(0, LONGEST_TYPE);
  const member = schema.anyOf?.find((one) => !isNullable(one));
  if (member) return readerOf(member);
  if (schema.enum) return oneOf(...schema.enum.filter((word) => word !== null));
  const types = typeof schema.type === 'object' ? schema.type : [schema.type ?? 'string'];
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  switch (types.find((type) => type !== 'null')) {
    case 'string':
      return text(minLength, maxLength, TRIMMED.has(name) ? 'stripped' : 'as it is');
    case 'number':
      return number(minimum, maximum);
    case 'boolean':
      return flag;
    case 'array':
      return listOf(
        readerOf(schema.items ?? {}),
        schema.minItems ?? 0,
        schema.maxItems ?? Number.POSITIVE_INFINITY,
      );
    case 'object':
      return objectReaderOf(schema);
    default:
      throw new Error(`no reader for ${JSON.stringify(schema)}`);
  }
}

function objectReaderOf({ properties, propertyNames, additionalProperties, maxProperties }: Schema): Reader {
  if (properties)
    return record(
      Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, readerOf(field, name)])),
    );
  const values = typeof additionalProperties === 'object' ? additionalProperties : {};
  return mapOf(readerOf(propertyNames ?? {}), readerOf(values), maxProperties ?? Number.POSITIVE_INFINITY);
}

/**
 * Validates an operation; a field that is undefined counts as absent.
 *
 * Throws NotPredicted: only the server resolves its kind. Throws Refused: it is not of the right form.
 */
export function readOperation(operation: Operation): Read {
  const form = FORMS.get(operation.op);
  if (!form) throw new NotPredicted(`'${operation.op}' is resolved by the server`);
  const { op, ...fields } = operation as unknown as Record<string, unknown>;
  const names = Object.keys(fields).filter((name) => fields[name] !== undefined);
  for (const name of names)
    if (!Object.hasOwn(form, name)) throw new Refused('field_unknown', `'${op}' has no field '${name}'.`);
  for (const [name, field] of Object.entries(form))
    if (field.isRequired && !names.includes(name))
      throw new Refused('field_missing', `'${name}' is missing.`);
  const values = names.map((name) => [name, readField(name, form[name] as Field, fields[name])] as const);
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
    const values = plainObject(value);
    if (Object.keys(values).some((name) => !names.includes(name)))
      throw new WrongForm(`should hold ${names.join(' and ')} alone`, 'field_unknown');
    if (!names.every((name) => Object.hasOwn(values, name)))
      throw new WrongForm(`should hold ${names.join(' and ')}`, 'field_missing');
    return Object.fromEntries(names.map((name) => [name, readers[name]?.(own(values, name))]));
  };
}

function plainObject(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new WrongForm('should be an object');
  return value as Fields;
}
