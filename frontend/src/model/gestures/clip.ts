/** Copies of parts of a diagram, and how they stand on the clipboard. Pure. Not here: pasting (`paste.ts`). */
import type { Diagram, DiagramNode } from '../../protocol/types';
import type { Scene } from './scene';

/** Outermost nodes have positions in the diagram they were copied from, the others in their groups. */
export type Clip = Diagram;

/** What tells a copy of ours from other texts, and the version of its form. */
export const MARK = 'draftsmith-clip';
export const VERSION = 1;

/** The selection, with all descendants and the edges between; null where it holds no node. */
export function clipOf(scene: Scene, ids: Iterable<string>): Clip | null {
  const tops = scene.outermost(ids);
  if (tops.length === 0) return null;
  const taken = new Set(tops.flatMap((id) => [id, ...scene.contentsOf(id)]));
  const nodes = [...taken].flatMap((id) => scene.nodes.get(id) ?? []);
  return {
    nodes: nodes.map((node) => (tops.includes(node.id) ? atTop(scene, node) : node)),
    edges: scene.diagram.edges.filter(({ source, target }) => taken.has(source) && taken.has(target)),
  };
}

function atTop(scene: Scene, node: DiagramNode): DiagramNode {
  const origin = scene.originOf(node.parent);
  return {
    ...node,
    parent: null,
    position: { x: origin.x + node.position.x, y: origin.y + node.position.y },
  };
}

/** `workspace`: where it is copied, from where images can be had. */
export const textOf = ({ nodes, edges }: Clip, workspace: string): string =>
  JSON.stringify({ [MARK]: VERSION, workspace, nodes, edges });
