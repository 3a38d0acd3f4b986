/**
 * Pasting a copy into a diagram, and duplicating a part of it. Pure. Clipboard content is untrusted: it is validated field
 * by field. Not here: copying (`clip.ts`).
 */
import { OPERATION_FORMS } from '../../protocol/forms';
import type { Operation } from '../../protocol/live';
import { type DiagramEdge, type DiagramNode, NODE_TYPES, type Point } from '../../protocol/types';
import type { OfCustomType } from '../core/customTypes';
import { EDGE_TEXTS, NODE_TEXTS, nodeTexts } from '../core/workspace';
import type { Box } from '../drawing/boxes';
import { type Clip, clipOf, MARK, VERSION } from './clip';
import type { Refusal } from './connect';
import { FreeIds } from './ids';
import { Scene } from './scene';
import { broughtTypes, LONGEST_ICON } from './typeDefinitions';
import { LONGEST_NAME } from './typeNames';

const MAX = 500;
const FAR = 1_000_000;

/** A clip from the clipboard. */
export interface CopiedClip extends Clip {
  /** Where it was copied; empty where that is not said. */
  workspace: string;
}

/** The clip in a text; null for any other text. */
export function clipFrom(text: string): CopiedClip | null {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return null;
  }
  const fields = fieldsOf(read);
  if (fields[MARK] !== VERSION || !Array.isArray(fields.nodes) || !Array.isArray(fields.edges)) return null;
  const nodes = new Map<string, DiagramNode>();
  for (const one of fields.nodes) {
    const node = readNode(fieldsOf(one), nodes);
    if (node) nodes.set(node.id, node);
  }
  const edges = fields.edges.flatMap((one) => readEdge(fieldsOf(one), nodes) ?? []);
  const workspace = words(fields.workspace, 26);
  return nodes.size > 0 ? { workspace, nodes: [...nodes.values()], edges } : null;
}

type Fields = { readonly [name: string]: unknown };

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};
const words = (value: unknown, most: number): string =>
  typeof value === 'string' ? [...value.replaceAll(String.fromCharCode(0), '')].slice(0, most).join('') : '';
const among = <T extends string>(value: unknown, known: readonly T[], fallback: T): T =>
  known.find((one) => one === value) ?? fallback;

/** One of a list, or of at most so many characters. */
const textOf = (
  value: unknown,
  form: { enum: readonly (string | null)[] } | { maxLength: number },
): string => ('enum' in form ? (form.enum.find((one) => one === value) ?? '') : words(value, form.maxLength));

/** A child comes after its group. */
function readNode(fields: Fields, before: ReadonlyMap<string, DiagramNode>): DiagramNode | null {
  const id = words(fields.id, 200);
  const label = words(fields.label, 120).trim();
  const position = readPoint(fields.position);
  if (!id || !label || !position || before.has(id)) return null;
  const parent = words(fields.parent, 200);
  return {
    id,
    label,
    position,
    type: among(fields.type, NODE_TYPES, 'other'),
    ...readCustom(fields),
    ...nodeTexts((name) => textOf(fields[name], OPERATION_FORMS.add_node.properties[name])),
    properties: readProperties(fields.properties),
    size: readSize(fields.size),
    parent: before.get(parent)?.type === 'group' ? parent : null,
    locked: false,
  };
}

/** The custom type of a node with its definition, which comes along where it is not known. */
function readCustom(fields: Fields): OfCustomType {
  const id = words(fields.custom_type, 64);
  const { name, base, icon, color } = fieldsOf(fields.custom);
  const custom = {
    name: words(name, LONGEST_NAME).trim(),
    base: among(base, NODE_TYPES, 'group'),
    icon: words(icon, LONGEST_ICON),
    color: textOf(color, OPERATION_FORMS.add_node.properties.color),
  };
  return id && custom.name && custom.base !== 'group' ? { custom_type: id, custom } : {};
}

function readEdge(fields: Fields, nodes: ReadonlyMap<string, DiagramNode>): DiagramEdge | null {
  const [source, target] = [words(fields.source, 200), words(fields.target, 200)];
  if (source === target || !nodes.has(source) || !nodes.has(target)) return null;
  const route = Array.isArray(fields.route) ? fields.route.slice(0, 100).map(readPoint) : [];
  return {
    id: words(fields.id, 200),
    source,
    target,
    label: words(fields.label, 200).trim(),
    kind: among(fields.kind, ['sync', 'async', 'data', 'dependency'], 'sync'),
    direction: among(fields.direction, ['forward', 'both', 'none'], 'forward'),
    description: words(fields.description, 10_000),
    color: textOf(fields.color, OPERATION_FORMS.add_edge.properties.color),
    style: textOf(fields.style, OPERATION_FORMS.add_edge.properties.style),
    shape: textOf(fields.shape, OPERATION_FORMS.add_edge.properties.shape),
    properties: readProperties(fields.properties),
    route: route.length > 0 && route.every((point) => point !== null) ? (route as Point[]) : null,
    route_by: fields.route_by === 'hand' ? 'hand' : null,
    label_at: isWithin(fields.label_at, 0, 1) ? fields.label_at : null,
  };
}

const isWithin = (value: unknown, least: number, most: number): value is number =>
  typeof value === 'number' && value >= least && value <= most;

function readPoint(value: unknown): Point | null {
  const { x, y } = fieldsOf(value);
  return isWithin(x, -FAR, FAR) && isWithin(y, -FAR, FAR) ? { x, y } : null;
}

function readSize(value: unknown): DiagramNode['size'] {
  const { width, height } = fieldsOf(value);
  return isWithin(width, 20, 20_000) && isWithin(height, 20, 20_000) ? { width, height } : null;
}

function readProperties(value: unknown): Record<string, string> {
  const read = Object.entries(fieldsOf(value)).slice(0, 50);
  return Object.fromEntries(
    read.flatMap(([key, text]) => (words(key, 64) ? [[words(key, 64), words(text, 1_000)]] : [])),
  );
}

/** A clip whose nodes show none of these images. */
export const withoutImages = ({ nodes, edges }: Clip, addresses: ReadonlySet<string>): Clip => ({
  nodes: nodes.map((node) => (addresses.has(node.image) ? { ...node, image: '' } : node)),
  edges,
});

/** The result of a paste: `ids` are the outermost nodes, to be selected. */
export interface Pasted {
  ids: string[];
  operations: Operation[];
}

/** The bounding box of a clip, where it was copied from. */
export function boundsOf(clip: Clip): Box {
  const scene = new Scene(clip);
  const boxes = clip.nodes.flatMap(({ id, parent }) => (parent === null ? (scene.boxOf(id) ?? []) : []));
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

/**
 * Pastes a clip into a diagram, offset from where it was copied, with new ids.
 *
 * @param groupOf the group of an outermost node; null for none
 */
export function paste(
  scene: Scene,
  clip: Clip,
  by: Point,
  groupOf: (id: string) => string | null,
): Pasted | Refusal {
  const types = broughtTypes(clip.nodes, scene.diagram.types);
  const count = clip.nodes.length + clip.edges.length + types.operations.length;
  if (count > MAX)
    return {
      refusal: `${count.toLocaleString('en')} nodes and connections are too many to paste at once`,
      advice: `Copy at most ${MAX} at a time.`,
    };
  const ids = new FreeIds([...scene.diagram.nodes, ...scene.diagram.edges]);
  const newId = new Map(clip.nodes.map((node) => [node.id, ids.forNode(node.label, node.type)]));
  const idOf = (id: string) => newId.get(id) as string;
  const added = (node: DiagramNode, ...place: [id: string, parent: string | null, position: Point]) =>
    addition(node, types.typeOf(node), ...place);
  const operations: Operation[] = clip.nodes.map((node) => {
    if (node.parent !== null) return added(node, idOf(node.id), idOf(node.parent), node.position);
    const group = groupOf(node.id);
    const origin = scene.originOf(group);
    const position = { x: node.position.x + by.x - origin.x, y: node.position.y + by.y - origin.y };
    return added(node, idOf(node.id), group, position);
  });
  operations.unshift(...types.operations);
  for (const edge of clip.edges) {
    const [source, target] = [idOf(edge.source), idOf(edge.target)];
    operations.push(connected(edge, ids.forEdge(source, target), source, target, by));
  }
  return { ids: clip.nodes.filter(({ parent }) => parent === null).map(({ id }) => idOf(id)), operations };
}

function addition(
  node: DiagramNode,
  type: string,
  id: string,
  parent: string | null,
  position: Point,
): Operation {
  const { label, properties, size } = node;
  return {
    op: 'add_node',
    id,
    type: type as (typeof NODE_TYPES)[number],
    label,
    position,
    ...Object.fromEntries(NODE_TEXTS.filter((text) => node[text]).map((text) => [text, node[text]] as const)),
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(size && { size }),
    ...(parent !== null && { parent }),
  };
}

function connected(edge: DiagramEdge, id: string, source: string, target: string, by: Point): Operation {
  const { label, kind, direction, properties, route, route_by, label_at } = edge;
  return {
    op: 'add_edge',
    id,
    source,
    target,
    kind: kind as 'sync',
    direction: direction as 'forward',
    ...(label && { label }),
    ...Object.fromEntries(EDGE_TEXTS.filter((text) => edge[text]).map((text) => [text, edge[text]] as const)),
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(route && { route: route.map(({ x, y }) => ({ x: x + by.x, y: y + by.y })) }),
    ...(route && route_by && { route_by: 'hand' as const }),
    ...(label_at !== null && { label_at }),
  };
}

/** Duplicates the selection beside itself, each copy in the group of its original. */
export function duplicate(scene: Scene, ids: Iterable<string>, by: Point): Pasted | Refusal | null {
  const clip = clipOf(scene, ids);
  if (!clip) return null;
  return paste(scene, clip, by, (id) => {
    const group = scene.nodes.get(id)?.parent ?? null;
    return group !== null && !scene.isLocked(group) ? group : null;
  });
}
