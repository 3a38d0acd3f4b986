/**
 * The changes of a commit in words, one line for each thing. Pure. Not here: the sentence of the commit in the history,
 * which is the server's.
 */
import type { Diff } from '../../protocol/types';
import { TYPE_NAMES } from './kinds';

export type Sign = '+' | 'Δ' | '−';

export interface ChangeLine {
  sign: Sign;
  /** The thing: “Orders”, or “Web → Orders”. */
  what: string;
  /** The change; empty where the sign says it all. */
  how: string;
  /** The node or edge, for a link to it; null for what is not in the diagram. */
  id: string | null;
}

export interface TextChange {
  /** Title of the section; empty above the first heading. */
  section: string;
  line: number;
  old: string;
  now: string;
}

/** Names by id; null for an unknown one. */
export interface Names {
  node: (id: string) => string | null;
  /** Ids of both ends. */
  ends: (id: string) => readonly [string, string] | null;
  /** Of custom types. */
  type: (id: string) => string | null;
}

type Parts = Diff['nodes'] | Diff['edges'];
type Change = Parts['changed'][number];

const PLACE: ReadonlySet<string> = new Set(['position', 'size', 'route', 'route_by', 'label_at']);
const MAX_CHARS = 60;

/** All changes of diagram and name: additions first, removals last. */
export function changeLines(diff: Diff, known: Names): ChangeLine[] {
  const types = diff.types ?? {};
  // What the commit itself defined or deleted may be gone.
  const names: Names = {
    ...known,
    type: (id) => known.type(id) ?? types[id]?.find((one) => one !== null)?.name ?? null,
  };
  const ends = (source: string, target: string) => `${nodeName(names, source)} → ${nodeName(names, target)}`;
  const edge = (id: string) => {
    const known = names.ends(id);
    return known ? ends(...known) : id;
  };
  const node = (id: string) => nodeName(names, id);
  const added: ChangeLine[] = [
    ...diff.nodes.added.map(({ id, label, type, custom_type }) => ({
      sign: '+' as const,
      what: label,
      how: typeWords(type, custom_type, names) ?? '',
      id,
    })),
    ...diff.edges.added.map(({ id, source, target, label }) => ({
      sign: '+' as const,
      what: ends(source, target),
      how: label && quoted(label),
      id,
    })),
  ];
  const changed = [
    ...diff.nodes.changed.map((one) => changedLine(one, node(one.id), names)),
    ...diff.edges.changed.map((one) => changedLine(one, edge(one.id), names)),
  ];
  const gone = (id: string, what: string): ChangeLine => ({ sign: '−', what, how: '', id });
  const removed = [
    ...diff.nodes.removed.map((id) => gone(id, node(id))),
    ...diff.edges.removed.map((id) => gone(id, edge(id))),
  ];
  const whole = Object.entries(diff.workspace).map(
    ([field, [old, now]]): ChangeLine => ({
      sign: 'Δ',
      what: field === 'name' ? 'Name of the workspace' : 'Line ends',
      how: `${valueWords(old)} → ${valueWords(now)}`,
      id: null,
    }),
  );
  return [...added, ...changed, ...removed, ...Object.values(types).map(typeLine), ...whole];
}

/** The changed parts of the document. */
export function textChanges(diff: Diff): TextChange[] {
  return diff.document.map(({ section, from_line, old, new: now }) => ({
    section: titleOf(section),
    line: from_line,
    old,
    now,
  }));
}

/** The last heading of a path such as `# Plan ## Risks`. */
export function titleOf(path: string): string {
  const last = [...path.matchAll(/(?<!\S)#{1,6} /g)].at(-1);
  return last ? path.slice(last.index + last[0].length) : path;
}

function changedLine({ id, fields }: Change, what: string, names: Names): ChangeLine {
  const how: string[] = [];
  for (const [field, [old, now]] of Object.entries(fields)) {
    if (PLACE.has(field) || (field === 'type' && fields.custom_type)) continue;
    if (field === 'custom_type') how.push(customWords(fields, names));
    else how.push(fieldWords(field, old, now, names));
  }
  // A move into another group implies a new position.
  if (how.length === 0 || (!('parent' in fields) && 'position' in fields)) how.push(placeWords(fields));
  return { sign: 'Δ', what, how: how.filter(Boolean).join(', '), id };
}

/** A change of the custom type says that of the base as well. */
function customWords({ type = [], custom_type = [] }: Change['fields'], names: Names): string {
  const [old, now] = [0, 1].map((at) => valueWords(typeWords(type[at], custom_type[at], names)));
  return `type: ${old} → ${now}`;
}

/** A custom type that was defined, changed or deleted. */
function typeLine([old, now]: NonNullable<Diff['types']>[string]): ChangeLine {
  const what = `Type “${(now ?? old)?.name ?? ''}”`;
  if (!old || !now) return { sign: old ? '−' : '+', what, how: '', id: null };
  const parts = (['name', 'base', 'icon', 'color'] as const).filter((part) => old[part] !== now[part]);
  const how = parts.map((part) => `${part}: ${valueWords(old[part])} → ${valueWords(now[part])}`).join(', ');
  return { sign: 'Δ', what, how, id: null };
}

/** The name of a type; null where none is said. */
function typeWords(type: unknown, custom: unknown, names: Names): string | null {
  if (typeof custom === 'string') return names.type(custom) ?? custom;
  return typeof type === 'string' ? (TYPE_NAMES[type] ?? type) : null;
}

function placeWords(fields: Change['fields']): string {
  if ('position' in fields) return 'moved';
  if ('size' in fields) return 'resized';
  return 'route' in fields ? 'route' : 'label moved';
}

function fieldWords(field: string, old: unknown, now: unknown, names: Names): string {
  const name = field.startsWith('properties.')
    ? `property ${field.slice('properties.'.length)}`
    : (FIELD_NAMES[field] ?? field);
  if (field === 'parent') {
    if (now === null) return `out of ${quoted(nodeName(names, String(old)))}`;
    return `into ${quoted(nodeName(names, String(now)))}`;
  }
  if (field === 'locked') return now ? 'locked' : 'unlocked';
  // Its address says nothing to people.
  if (field === 'image') return now ? `image ${old ? 'replaced' : 'added'}` : 'image removed';
  if (field === 'source' || field === 'target')
    return `${name}: ${nodeName(names, String(old))} → ${nodeName(names, String(now))}`;
  return `${name}: ${valueWords(old)} → ${valueWords(now)}`;
}

const FIELD_NAMES: Readonly<Record<string, string>> = { label: 'name', source: 'from', target: 'to' };

const nodeName = (names: Names, id: string): string => names.node(id) ?? id;

const quoted = (text: string): string => `“${text}”`;

function valueWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replace(/\s+/g, ' ').trim();
  return quoted(text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS - 1)}…` : text);
}
