/** C4: people, systems, containers and components as boxes, boundaries and deployment nodes as groups, relations as lines. */
import { type Box, colorsOf, filled, type Line, type Parts, textOf } from './chart';
import { sanitizeUrl } from './purify';

interface Element {
  alias: string;
  label?: unknown;
  techn?: unknown;
  descr?: unknown;
  type?: unknown;
  typeC4Shape?: unknown;
  nodeType?: unknown;
  parentBoundary?: string;
  bgColor?: unknown;
  borderColor?: unknown;
  tags?: unknown;
  link?: unknown;
}

interface Relation {
  type: string;
  from: string;
  to: string;
  label?: unknown;
  techn?: unknown;
  descr?: unknown;
  lineColor?: unknown;
  tags?: unknown;
  link?: unknown;
}

export interface C4Db {
  getC4ShapeArray(): Element[];
  getBoundaries(): Element[];
  getRels(): Relation[];
  getTitle(): string | undefined;
}

/** The boundary that Mermaid puts around everything. */
const AROUND_ALL = 'global';
/** What Mermaid says of a deployment node that says nothing. */
const NO_TECHNOLOGY = 'node';

export function c4Parts(db: C4Db): Parts {
  const boundaries = db.getBoundaries().filter(({ alias }) => alias !== AROUND_ALL);
  return {
    boxes: [...boundaries.map(boundaryBox), ...db.getC4ShapeArray().map(elementBox)],
    lines: db.getRels().map(lineOf),
    left_out: [],
    title: textOf(db.getTitle()),
  };
}

function elementBox(element: Element): Box {
  const word = textOf(element.typeC4Shape);
  return {
    ...common(element),
    word,
    technology: textOf(element.techn),
    properties: filled({ c4: stereotype(word), tags: element.tags, url: sanitizeUrl(textOf(element.link)) }),
  };
}

function boundaryBox(boundary: Element): Box {
  const type = textOf(boundary.type);
  const isNode = boundary.nodeType !== undefined;
  return {
    ...common(boundary),
    word: 'group',
    is_group: true,
    technology: isNode && type !== NO_TECHNOLOGY ? type : '',
    properties: filled({
      c4: isNode ? 'deployment node' : `${type.toLowerCase()} boundary`,
      tags: boundary.tags,
      url: sanitizeUrl(textOf(boundary.link)),
    }),
  };
}

const common = (element: Element) => ({
  name: element.alias,
  text: textOf(element.label),
  inside: element.parentBoundary === AROUND_ALL ? '' : (element.parentBoundary ?? ''),
  description: textOf(element.descr),
  colors: colorsOf([element.bgColor, element.borderColor]),
});

/** `external_container_db` as people say it: an external container. */
const stereotype = (word: string): string => word.replace(/_(?:db|queue)$/, '').replace('_', ' ');

function lineOf(relation: Relation): Line {
  const isBack = relation.type === 'rel_b';
  return {
    source: isBack ? relation.to : relation.from,
    target: isBack ? relation.from : relation.to,
    text: textOf(relation.label),
    kind: 'sync',
    direction: relation.type === 'birel' ? 'both' : 'forward',
    technology: textOf(relation.techn),
    description: textOf(relation.descr),
    properties: filled({ tags: relation.tags, url: sanitizeUrl(textOf(relation.link)) }),
    colors: colorsOf([relation.lineColor]),
  };
}
