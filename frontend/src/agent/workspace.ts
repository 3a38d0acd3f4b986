/** The workspace and its proposals, asked for by the tools that agents have, and what cards show. Not here: drawing it. */
import { withTypes } from '../model/core/withTypes';
import type { PictureImages } from '../model/export/nodeImages';
import type { Diagram } from '../protocol/types';
import { type Host, listOf, type Shape, shapeOf, textOf } from './host';

const MOST_PAGES = 40;

export interface Proposal {
  id: string;
  by: string;
  isOurs: boolean;
  explanation: string;
  reason: string;
  fits: boolean;
  what: string[];
  conflicts: string[];
  link: string;
}

export interface WorkspaceContent {
  name: string;
  revision: number;
  diagram: Diagram;
}

/** A refusal of the server, in its words. */
export class Refused extends Error {}

/** Calls a tool; the structured answer. */
export async function call(host: Host, name: string, args: Shape): Promise<Shape> {
  const result = await host.ask('tools/call', { name, arguments: args });
  if (result.isError === true) throw new Refused(whyOf(result));
  return answerOf(result);
}

/** What a tool answers besides words; where the words are the answer, the facts beside them. */
export const answerOf = (result: Shape): Shape =>
  shapeOf(result.structuredContent ?? shapeOf(result._meta)['draftsmith/answer']);

/** Why a call was refused. */
export const whyOf = (result: Shape): string =>
  textOf(shapeOf(shapeOf(result._meta)['draftsmith/problem']).detail) || wordsOf(result) || 'It was refused.';

const wordsOf = (result: Shape): string =>
  listOf(result.content)
    .map((block) => textOf(shapeOf(block).text))
    .join('\n');

export async function readWorkspace(host: Host, workspace: string): Promise<WorkspaceContent> {
  let text = '';
  let cursor = '';
  let revision = 0;
  for (let page = 0; page < MOST_PAGES; page++) {
    const data = await call(host, 'export', { workspace, format: 'json', cursor });
    text += textOf(data.text);
    revision = Number(data.revision);
    cursor = textOf(data.next_cursor);
    if (!cursor) {
      const state = shapeOf(JSON.parse(text));
      const diagram = withTypes(diagramOf(shapeOf(state.diagram)));
      return { name: textOf(state.name), revision, diagram };
    }
  }
  throw new Refused('This diagram is too large to be drawn here.');
}

/** Fields that an export leaves out where they are empty. */
function diagramOf(state: Shape): Diagram {
  const nodes = listOf(state.nodes).map((node) => ({ ...EMPTY_NODE, ...shapeOf(node) }));
  const edges = listOf(state.edges).map((edge) => ({ ...EMPTY_EDGE, ...shapeOf(edge) }));
  const { types } = state;
  return { nodes, edges, ...(types !== undefined && { types }) } as unknown as Diagram;
}

const EMPTY_NODE = {
  description: '',
  technology: '',
  notes: '',
  image: '',
  color: '',
  style: '',
  properties: {},
  size: null,
  parent: null,
  locked: false,
};
const EMPTY_EDGE = {
  label: '',
  kind: 'sync',
  direction: 'forward',
  description: '',
  color: '',
  style: '',
  shape: '',
  properties: {},
  route: null,
  route_by: null,
  label_at: null,
};

/** Images of nodes and icons of technologies, as the server has them in pictures. */
export async function readImages(host: Host, workspace: string): Promise<PictureImages> {
  const answer = await host.ask('resources/read', { uri: `ui://draftsmith/images/${workspace}` });
  const [content] = listOf(answer.contents);
  return JSON.parse(textOf(shapeOf(content).text)) as PictureImages;
}

export async function readProposals(host: Host, workspace: string): Promise<Proposal[]> {
  const data = await call(host, 'proposals', { workspace, action: 'list' });
  return listOf(data.proposals).map(proposalOf);
}

function proposalOf(value: unknown): Proposal {
  const row = shapeOf(value);
  return {
    id: textOf(row.proposal),
    by: textOf(row.by),
    isOurs: row.yours === true,
    explanation: textOf(row.explanation),
    reason: textOf(row.reason),
    fits: row.fits === true,
    what: listOf(row.what).map(textOf),
    conflicts: listOf(row.conflicts).map(textOf),
    link: textOf(row.link),
  };
}

/** What became of it, in words. */
export async function decide(
  host: Host,
  workspace: string,
  proposal: string,
  action: 'accept' | 'withdraw',
): Promise<string> {
  const data = await call(host, 'proposals', { workspace, action, proposal });
  return action === 'accept' ? `Accepted as revision ${Number(data.revision)}.` : 'Withdrawn.';
}
