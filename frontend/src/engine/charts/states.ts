/** State diagrams: states, starts, ends and notes as boxes, composite states as groups, transitions as lines. */
import { type Box, filled, type Line, looksOf, type Parts, textOf } from './chart';
import { sanitizeUrl } from './purify';

interface StateNode {
  id: string;
  shape: string;
  label?: unknown;
  description?: unknown;
  isGroup?: boolean;
  parentId?: string;
  cssStyles?: string[];
  cssCompiledStyles?: string[];
}

interface Transition {
  start: string;
  end: string;
  label?: unknown;
  arrowhead?: string;
}

export interface StateDb {
  getData(): { nodes: StateNode[]; edges: Transition[]; direction?: string };
  getLinks(): Map<string, { url?: string } | { url?: string }[]>;
  getDiagramTitle(): string | undefined;
}

/** What is drawn around a note and the state that it is about. */
const AROUND_A_NOTE = 'noteGroup';
/** What Mermaid calls the parts of a state that go on at the same time: a new name each time. */
const PART = 'divider';
const SIGNS: Readonly<Record<string, string>> = {
  stateStart: 'Start',
  stateEnd: 'End',
  fork: 'Fork',
  join: 'Join',
  choice: 'Choice',
  [PART]: 'At the same time',
};

export function stateParts(db: StateDb): Parts {
  const { nodes, edges, direction } = db.getData();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const links = db.getLinks();
  const drawn = nodes.filter(({ shape }) => shape !== AROUND_A_NOTE);
  return {
    boxes: drawn.map((node) => boxOf(node, holderOf(node, byId), links)),
    lines: edges.map(lineOf),
    left_out: [],
    direction,
    title: db.getDiagramTitle() ?? '',
  };
}

/** A note stands where the state stands that it is about. */
function holderOf(node: StateNode, byId: ReadonlyMap<string, StateNode>): string {
  const holder = node.parentId ?? '';
  if (byId.get(holder)?.shape !== AROUND_A_NOTE) return holder;
  return byId.get(holder.slice(0, holder.lastIndexOf('----')))?.parentId ?? '';
}

function boxOf(node: StateNode, inside: string, links: ReturnType<StateDb['getLinks']>): Box {
  const { id, shape } = node;
  const isGroup = node.isGroup === true && shape !== 'note';
  const text = textOf(node.label);
  return {
    name: id,
    // A sign has no label but the name that Mermaid makes for it, unless somebody gave it one.
    text: SIGNS[shape] !== undefined && (text === '' || text === id) ? (SIGNS[shape] ?? '') : text,
    word: isGroup ? 'group' : shape,
    is_group: isGroup,
    inside,
    is_nameless: shape === 'note' || shape === PART,
    description: textOf(node.description),
    properties: filled({ url: sanitizeUrl([links.get(id) ?? []].flat()[0]?.url) }),
    ...looksOf([...(node.cssCompiledStyles ?? []), ...(node.cssStyles ?? [])]),
  };
}

const lineOf = ({ start, end, label, arrowhead }: Transition): Line => ({
  source: start,
  target: end,
  text: textOf(label),
  kind: 'sync',
  direction: arrowhead === 'none' ? 'none' : 'forward',
});
