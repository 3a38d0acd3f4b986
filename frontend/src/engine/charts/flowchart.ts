/** Flowcharts: vertices and subgraphs as boxes, edges as lines. */
import { type Box, type LeftOut, type Line, looksOf, type Parts, textOf } from './chart';

interface Vertex {
  id: string;
  text?: unknown;
  labelType?: string;
  type?: string;
  classes?: string[];
  styles?: string[];
  link?: string;
  img?: string;
}

interface Edge {
  start: string;
  end: string;
  text?: unknown;
  labelType?: string;
  type?: string;
  stroke?: string;
  length?: number;
  style?: string[];
  classes?: string[];
  interpolate?: string;
}

interface Subgraph {
  id: string;
  nodes: string[];
  title?: unknown;
  labelType?: string;
  classes?: string[];
}

export interface FlowchartDb {
  getVertices(): Map<string, Vertex>;
  getEdges(): Edge[];
  getSubGraphs(): Subgraph[];
  getClasses(): Map<string, { styles?: string[] }>;
  getDirection(): string | undefined;
}

const KINDS: Readonly<Record<string, Line['kind']>> = { normal: 'sync', dotted: 'async', thick: 'data' };
/** Dots of a dotted line that is one step longer, as our export writes a dependency. */
const DOTS_OF_A_DEPENDENCY = 2;
const CLICKABLE = 'clickable';

export function flowchartParts(db: FlowchartDb): Parts {
  const leftOut: LeftOut[] = [];
  const groups = new Map<string, Subgraph>();
  for (const one of db.getSubGraphs()) {
    const known = groups.get(one.id);
    groups.set(one.id, known ? { ...one, title: textOf(one.title) || known.title } : one);
  }
  const inside = holders(db.getSubGraphs());
  const vertices = db.getVertices();
  const boxes = inOrder([...vertices.keys()], [...groups.keys()], inside).flatMap((id): Box[] => {
    const group = groups.get(id);
    if (group) return [groupBox(group, vertices.get(id), inside.get(id), db)];
    const vertex = vertices.get(id);
    return vertex ? [vertexBox(vertex, inside.get(id), db, leftOut)] : [];
  });
  const lines = db.getEdges().flatMap((edge) => lineOf(edge, db, leftOut));
  return { boxes, lines, left_out: leftOut, direction: db.getDirection() };
}

/** The subgraph of each vertex and subgraph; one that several mention is in the first that ends, as Mermaid draws it. */
function holders(groups: readonly Subgraph[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const { id, nodes } of [...groups].reverse()) for (const member of nodes) found.set(member, id);
  return found;
}

/** Vertices in their order, groups before the first of their members; empty ones at the end. */
function inOrder(
  ids: readonly string[],
  groups: readonly string[],
  inside: ReadonlyMap<string, string>,
): string[] {
  const order = new Set<string>();
  for (const id of [...ids, ...groups]) {
    const chain = new Set<string>();
    for (
      let at: string | undefined = id;
      at !== undefined && !chain.has(at) && !order.has(at);
      at = inside.get(at)
    )
      chain.add(at);
    for (const one of [...chain].reverse()) order.add(one);
  }
  return [...order];
}

function groupBox(
  group: Subgraph,
  vertex: Vertex | undefined,
  holder: string | undefined,
  db: FlowchartDb,
): Box {
  const classes = [...(group.classes ?? []), ...(vertex?.classes ?? [])];
  const styles = vertex?.styles ?? [];
  return {
    name: group.id,
    text: marked(group.title, group.labelType),
    word: 'group',
    is_group: true,
    inside: holder ?? '',
    classes,
    styles,
    ...looksOf([...declared(classes, db), ...styles]),
  };
}

function vertexBox(vertex: Vertex, holder: string | undefined, db: FlowchartDb, leftOut: LeftOut[]): Box {
  const classes = (vertex.classes ?? []).filter((name) => name !== CLICKABLE);
  const styles = vertex.styles ?? [];
  const url = textOf(vertex.link);
  if (classes.length !== (vertex.classes ?? []).length && !url)
    leftOut.push({ text: vertex.id, reason: 'what a click does is not kept' });
  if (vertex.img)
    leftOut.push({ text: textOf(vertex.img), reason: 'an image at another address is not kept' });
  return {
    name: vertex.id,
    text: marked(vertex.text, vertex.labelType),
    word: vertex.type ?? '',
    inside: holder ?? '',
    classes,
    styles,
    ...(url && { properties: { url } }),
    ...looksOf([...declared(['default', ...classes], db), ...styles]),
  };
}

function lineOf(edge: Edge, db: FlowchartDb, leftOut: LeftOut[]): Line[] {
  const { start, end, stroke = 'normal', length = 1, style = [] } = edge;
  if (stroke === 'invisible') {
    leftOut.push({ text: `${start} ~~~ ${end}`, reason: 'an invisible link is not kept' });
    return [];
  }
  const type = edge.type ?? '';
  const isDependency = stroke === 'dotted' && length === DOTS_OF_A_DEPENDENCY;
  const styles = style.map(textOf).filter((one) => one !== 'fill:none');
  return [
    {
      source: start,
      target: end,
      text: marked(edge.text, edge.labelType),
      kind: isDependency ? 'dependency' : (KINDS[stroke] ?? 'sync'),
      direction: type.startsWith('double_') ? 'both' : type === 'arrow_open' ? 'none' : 'forward',
      styles,
      curve: edge.interpolate ?? '',
      ...looksOf([...declared(edge.classes ?? [], db), ...styles]),
    },
  ];
}

const declared = (classes: readonly string[], db: FlowchartDb): string[] =>
  classes.flatMap((name) => db.getClasses().get(name)?.styles ?? []);

/** A text of Markdown in the backticks that Mermaid has taken away. */
function marked(value: unknown, labelType = ''): string {
  const text = textOf(value);
  return labelType === 'markdown' && text ? `\`${text}\`` : text;
}
