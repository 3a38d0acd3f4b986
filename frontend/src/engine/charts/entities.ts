/** Entity relationship diagrams: entities as boxes, with their attributes as description, relationships as lines. */
import { type Box, filled, type Line, looksOf, type Parts, textOf } from './chart';

interface Attribute {
  type?: unknown;
  name?: unknown;
  keys?: string[];
  comment?: unknown;
}

interface EntityNode {
  id: string;
  label?: unknown;
  alias?: unknown;
  attributes?: Attribute[];
  isGroup?: boolean;
  parentId?: string;
  cssStyles?: string[];
  cssCompiledStyles?: string[];
}

interface Relationship {
  start: string;
  end: string;
  label?: unknown;
  arrowTypeStart?: string;
  arrowTypeEnd?: string;
  pattern?: string;
}

export interface EntityDb {
  getData(): { nodes: EntityNode[]; edges: Relationship[]; direction?: string };
  getDiagramTitle(): string | undefined;
}

const CARDINALITIES: Readonly<Record<string, string>> = {
  only_one: 'exactly one',
  zero_or_one: 'zero or one',
  zero_or_more: 'zero or more',
  one_or_more: 'one or more',
  md_parent: 'parent',
};

export function entityParts(db: EntityDb): Parts {
  const { nodes, edges, direction } = db.getData();
  // Lines lead to ids, which Mermaid numbers; people know entities by their names.
  const names = new Map(nodes.map((node) => [node.id, nameOf(node)]));
  return {
    boxes: nodes.map(boxOf),
    lines: edges.map((edge) => lineOf(edge, names)),
    left_out: [],
    direction,
    title: db.getDiagramTitle() ?? '',
  };
}

const nameOf = (node: EntityNode): string => (node.isGroup ? node.id : textOf(node.label)) || node.id;

function boxOf(node: EntityNode): Box {
  return {
    name: nameOf(node),
    text: textOf(node.alias) || textOf(node.label) || node.id,
    word: node.isGroup ? 'group' : 'entity',
    is_group: node.isGroup === true,
    inside: node.parentId ?? '',
    description: (node.attributes ?? []).map(inWords).join('\n'),
    ...looksOf([...(node.cssCompiledStyles ?? []), ...(node.cssStyles ?? [])]),
  };
}

function inWords({ type, name, keys = [], comment }: Attribute): string {
  const said = textOf(comment);
  return [textOf(type), textOf(name), keys.join(', '), said && `“${said}”`].filter(Boolean).join(' ');
}

function lineOf(edge: Relationship, names: ReadonlyMap<string, string>): Line {
  return {
    source: names.get(edge.start) ?? edge.start,
    target: names.get(edge.end) ?? edge.end,
    text: textOf(edge.label),
    kind: 'data',
    direction: 'none',
    properties: filled({
      'source cardinality': CARDINALITIES[edge.arrowTypeStart ?? ''],
      'target cardinality': CARDINALITIES[edge.arrowTypeEnd ?? ''],
    }),
    is_dashed: edge.pattern === 'dashed',
  };
}
