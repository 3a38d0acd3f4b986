/**
 * The effect of proposed steps on a diagram, computed without applying them. Pure.
 *
 * The steps come from a base that may be older than the shown diagram; steps that no longer fit are skipped. Only the
 * net change counts. Not here: geometry (`ghostDrawing.ts`), the document (`model/text/ghostText.ts`).
 */
import type { EdgeFieldsStep, EdgeStep, NodeFieldsStep, NodeStep, Step, TypeStep } from '../../protocol/live';
import type { CustomTypes, Diagram, DiagramEdge, DiagramNode } from '../../protocol/types';
import { typeIdOf } from '../core/customTypes';
import { edgeOf, nodeOf } from '../core/diagramView';
import { type Fields, fieldOf, type Json, same, withFields } from '../core/values';
import { EDGE_TEXTS, type EdgeRecord, NODE_TEXTS, type NodeRecord, nodeTexts } from '../core/workspace';
import { DIRECTION_NAMES, KIND_NAMES, typeName } from '../words/kinds';
import { isSameBox, placeNodes } from './boxes';
import { compareDiagrams } from './compare';
import type { Marks } from './marks';

export interface DiagramGhosts {
  /** What would be new. */
  nodes: readonly DiagramNode[];
  edges: readonly DiagramEdge[];
  /** Existing nodes at their new positions. */
  moved: readonly DiagramNode[];
  /** Existing edges between their new ends. */
  rerouted: readonly DiagramEdge[];
  /** Marks of what would be changed or removed. */
  marks: Marks;
  /** The text of each change, by id. */
  words: ReadonlyMap<string, string>;
  /** The resulting diagram together with what would be removed: all that is drawn. */
  all: Diagram;
}

interface Draft {
  types: CustomTypes | undefined;
  nodes: Map<string, DiagramNode>;
  edges: Map<string, DiagramEdge>;
}

export function ghostsOf(diagram: Diagram, steps: readonly Step[]): DiagramGhosts {
  const before: Draft = {
    types: diagram.types,
    nodes: new Map(diagram.nodes.map((node) => [node.id, node])),
    edges: new Map(diagram.edges.map((edge) => [edge.id, edge])),
  };
  const draft: Draft = { ...before, nodes: new Map(before.nodes), edges: new Map(before.edges) };
  for (const step of steps) take(step, draft);
  const { types } = draft;
  const after: Diagram = {
    nodes: [...draft.nodes.values()],
    edges: [...draft.edges.values()],
    ...(types && { types }),
  };
  const { marks, diagram: all } = compareDiagrams(diagram, after);
  return {
    nodes: after.nodes.filter(({ id }) => marks.nodes.get(id) === 'added'),
    edges: after.edges.filter(({ id }) => marks.edges.get(id) === 'added'),
    moved: movedAmong(diagram, after, marks),
    rerouted: after.edges.filter((edge) => isRerouted(before.edges.get(edge.id), edge)),
    marks: { nodes: withoutAdded(marks.nodes), edges: withoutAdded(marks.edges) },
    words: wordsFor(before, draft, marks),
    all,
  };
}

/** Whether there are no ghosts. */
export const areNoGhosts = ({ nodes, edges, marks }: DiagramGhosts): boolean =>
  nodes.length + edges.length + marks.nodes.size + marks.edges.size === 0;

function take(step: Step, draft: Draft): void {
  switch (step.k) {
    case 'node+':
    case 'node-':
      takeNode(step, draft);
      break;
    case 'node=':
      takeNodeFields(step, draft);
      break;
    case 'edge+':
    case 'edge-':
      takeEdge(step, draft);
      break;
    case 'edge=':
      takeEdgeFields(step, draft);
      break;
    case 'type':
      takeType(step, draft);
      break;
    // Text, names, and kinds of steps that this page does not know are nothing to draw.
  }
}

/** Nodes that are of it already stay as they are drawn. */
function takeType({ id, v: [, now] }: TypeStep, draft: Draft): void {
  draft.types = withFields<Fields>({ ...draft.types }, [[id, now]]) as CustomTypes;
}

function takeNode({ k, id, n }: NodeStep, { nodes, edges, types }: Draft): void {
  if (k === 'node+') {
    const node = nodeOf(id, n as unknown as NodeRecord, types);
    if (!nodes.has(id) && isGroupOrNone(nodes, node.parent)) nodes.set(id, node);
    return;
  }
  for (const { parent } of nodes.values()) if (parent === id) return;
  if (!nodes.delete(id)) return;
  for (const edge of [...edges.values()]) if (edge.source === id || edge.target === id) edges.delete(edge.id);
}

function takeNodeFields({ id, v }: NodeFieldsStep, { nodes, types }: Draft): void {
  const node = nodes.get(id);
  if (!node || !isAsExpected(node, v)) return;
  const next = nodeOf(id, withFields(node as unknown as NodeRecord, newValues(v)), types);
  if (isGroupOrNone(nodes, next.parent) && !isWithin(nodes, next)) nodes.set(id, next);
}

function takeEdge({ k, id, s, t, e }: EdgeStep, { nodes, edges }: Draft): void {
  if (k === 'edge-') {
    edges.delete(id);
    return;
  }
  const edge = edgeOf(id, { ...e, source: s, target: t } as unknown as EdgeRecord);
  if (!edges.has(id) && nodes.has(s) && nodes.has(t) && !hasEqual(edges, edge)) edges.set(id, edge);
}

function takeEdgeFields({ id, v }: EdgeFieldsStep, { nodes, edges }: Draft): void {
  const edge = edges.get(id);
  if (!edge || !isAsExpected(edge, v)) return;
  const next = edgeOf(id, withFields(edge as unknown as EdgeRecord, newValues(v)));
  const isWhole = nodes.has(next.source) && nodes.has(next.target) && next.source !== next.target;
  if (isWhole && !hasEqual(edges, next)) edges.set(id, next);
}

const newValues = (pairs: NodeFieldsStep['v']): [string, Json][] =>
  Object.entries(pairs).map(([field, [, value]]) => [field, value as Json]);

/** The default of an absent field; in steps absent is null. */
const ABSENT: Readonly<Record<string, Json>> = {
  label: '',
  ...nodeTexts(() => ''),
  locked: false,
  kind: 'sync',
  direction: 'forward',
};

function isAsExpected(one: DiagramNode | DiagramEdge, pairs: NodeFieldsStep['v']): boolean {
  return Object.entries(pairs).every(([field, [old]]) => {
    const now = fieldOf(one as unknown as Fields, field);
    return same(now === ABSENT[field] ? null : now, old === ABSENT[field] ? null : old);
  });
}

const isGroupOrNone = (nodes: Draft['nodes'], parent: string | null): boolean =>
  parent === null || nodes.get(parent)?.type === 'group';

/** Whether a group would be its own ancestor. */
function isWithin(nodes: Draft['nodes'], { id, parent }: DiagramNode): boolean {
  const seen = new Set<string>();
  for (let at = parent; at !== null && !seen.has(at); at = nodes.get(at)?.parent ?? null) {
    if (at === id) return true;
    seen.add(at);
  }
  return false;
}

function hasEqual(edges: Draft['edges'], edge: DiagramEdge): boolean {
  for (const other of edges.values())
    if (
      other.id !== edge.id &&
      other.source === edge.source &&
      other.target === edge.target &&
      other.label === edge.label &&
      other.kind === edge.kind
    )
      return true;
  return false;
}

const withoutAdded = <M>(marks: ReadonlyMap<string, M>): Map<string, M> =>
  new Map([...marks].filter(([, mark]) => mark !== 'added'));

/** Nodes whose own position would change; those in a moved group are left out. */
function movedAmong(before: Diagram, after: Diagram, { nodes: marks }: Marks): DiagramNode[] {
  const changed = after.nodes.filter(({ id }) => marks.get(id) === 'changed');
  if (changed.length === 0) return [];
  const was = new Map(before.nodes.map((node) => [node.id, node]));
  const [from, to] = [placeNodes(before.nodes), placeNodes(after.nodes)];
  return changed.filter((node) => {
    const old = was.get(node.id);
    const isOwn =
      !same(old?.position, node.position) || !same(old?.size, node.size) || old?.parent !== node.parent;
    const [here, there] = [from.get(node.id), to.get(node.id)];
    return isOwn && here !== undefined && there !== undefined && !isSameBox(here.box, there.box);
  });
}

const isRerouted = (old: DiagramEdge | undefined, now: DiagramEdge): boolean =>
  old !== undefined && (old.source !== now.source || old.target !== now.target);

function wordsFor(before: Draft, after: Draft, marks: Marks): Map<string, string> {
  const nameOf = (id: string): string => (after.nodes.get(id) ?? before.nodes.get(id))?.label ?? id;
  const words = new Map<string, string>();
  const keep = (id: string, sentence: string) => sentence && words.set(id, sentence);
  for (const [id, now] of after.nodes) {
    const old = before.nodes.get(id);
    if (old && marks.nodes.get(id) === 'changed') keep(id, nodeWords(old, now, nameOf));
  }
  for (const [id, now] of after.edges) {
    const old = before.edges.get(id);
    if (old && marks.edges.get(id) === 'changed') keep(id, edgeWords(old, now, nameOf));
  }
  return words;
}

type NameOf = (id: string) => string;

/** A longer text is cut off. */
const MAX_CHARS = 48;

/** What of a node would change, in words. */
function nodeWords(old: DiagramNode, now: DiagramNode, nameOf: NameOf): string {
  const parts = [
    ...labelWords(old, now),
    ...(old.type === now.type && typeIdOf(old) === typeIdOf(now) ? [] : [`type: ${typeName(now)}`]),
    ...textFieldWords(old, now, NODE_TEXTS),
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

/**
 * The change of a node or an edge as a short text below it. Pure. Not here: lists of changes
 * (`model/words/changeWords.ts`).
 */
/** The same of an edge. */
function edgeWords(old: DiagramEdge, now: DiagramEdge, nameOf: NameOf): string {
  const areEndsSame = old.source === now.source && old.target === now.target;
  return [
    ...labelWords(old, now),
    ...(areEndsSame ? [] : [`now ${nameOf(now.source)} → ${nameOf(now.target)}`]),
    ...(old.kind === now.kind ? [] : [KIND_NAMES[now.kind] ?? now.kind]),
    ...(old.direction === now.direction ? [] : [DIRECTION_NAMES[now.direction] ?? now.direction]),
    ...textFieldWords(old, now, EDGE_TEXTS),
    ...propertyWords(old.properties, now.properties),
  ].join(', ');
}

const labelWords = (old: { label: string }, now: { label: string }): string[] =>
  old.label === now.label
    ? []
    : [old.label ? `${shortText(old.label)} → ${shortText(now.label)}` : `label: ${shortText(now.label)}`];

function textFieldWords<F extends string>(
  old: Readonly<Record<F, string>>,
  now: Readonly<Record<F, string>>,
  fields: readonly F[],
): string[] {
  return fields.flatMap((field) => (old[field] === now[field] ? [] : [textFieldWord(field, now[field])]));
}

/** The address of an image says nothing to people. */
const textFieldWord = (field: string, now: string): string =>
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
