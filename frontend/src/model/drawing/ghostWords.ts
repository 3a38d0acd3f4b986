/**
 * The change of a node or an edge as a short text below it. Pure. Not here: lists of changes
 * (`model/words/changeWords.ts`).
 */
import type { DiagramEdge, DiagramNode } from '../../protocol/types';
import { typeIdOf } from '../core/customTypes';
import { same } from '../core/values';
import { EDGE_TEXTS, NODE_TEXTS } from '../core/workspace';
import { DIRECTION_NAMES, KIND_NAMES, typeName } from '../words/kinds';

type NameOf = (id: string) => string;

const MAX_CHARS = 48;

export function nodeWords(old: DiagramNode, now: DiagramNode, nameOf: NameOf): string {
  const parts = [
    ...labelWords(old, now),
    ...(old.type === now.type && typeIdOf(old) === typeIdOf(now) ? [] : [`type: ${typeName(now)}`]),
    ...texts(old, now, NODE_TEXTS),
    ...propertyWords(old.properties, now.properties),
    ...(old.locked === now.locked ? [] : [now.locked ? 'locked' : 'unlocked']),
  ];
  if (old.parent !== now.parent)
    parts.push(
      now.parent ? `into ${quoted(nameOf(now.parent))}` : `out of ${quoted(nameOf(old.parent ?? ''))}`,
    );
  else if (!same(old.position, now.position)) parts.push('moved');
  else if (!same(old.size, now.size)) parts.push('resized');
  return parts.join(', ');
}

export function edgeWords(old: DiagramEdge, now: DiagramEdge, nameOf: NameOf): string {
  const areEndsSame = old.source === now.source && old.target === now.target;
  return [
    ...labelWords(old, now),
    ...(areEndsSame ? [] : [`now ${nameOf(now.source)} → ${nameOf(now.target)}`]),
    ...(old.kind === now.kind ? [] : [KIND_NAMES[now.kind] ?? now.kind]),
    ...(old.direction === now.direction ? [] : [DIRECTION_NAMES[now.direction] ?? now.direction]),
    ...texts(old, now, EDGE_TEXTS),
    ...propertyWords(old.properties, now.properties),
  ].join(', ');
}

const labelWords = (old: { label: string }, now: { label: string }): string[] =>
  old.label === now.label
    ? []
    : [old.label ? `${shortText(old.label)} → ${shortText(now.label)}` : `label: ${shortText(now.label)}`];

function texts<F extends string>(
  old: Readonly<Record<F, string>>,
  now: Readonly<Record<F, string>>,
  fields: readonly F[],
): string[] {
  return fields.flatMap((field) => (old[field] === now[field] ? [] : [textWords(field, now[field])]));
}

/** The address of an image says nothing to people. */
const textWords = (field: string, now: string): string =>
  field === 'image' ? (now ? 'new image' : 'no image') : `${field}: ${shortText(now)}`;

function propertyWords(
  old: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): string[] {
  const keys = new Set([...Object.keys(old), ...Object.keys(now)]);
  return [...keys].flatMap((key) => (old[key] === now[key] ? [] : [`${key}: ${shortText(now[key] ?? '')}`]));
}

const quoted = (text: string): string => `“${text}”`;

function shortText(value: string): string {
  const text = value.replace(/\s+/g, ' ').trim();
  if (text === '') return 'none';
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS - 1)}…` : text;
}
