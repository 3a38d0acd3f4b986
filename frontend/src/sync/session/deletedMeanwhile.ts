/**
 * Rewords a refusal where its node or edge existed when the change was made and has been deleted since. The server
 * cannot know that and takes such an id for a typing error. Pure.
 */
import type { WorkspaceState } from '../../model/core/workspace';
import type { Outcome } from './outcome';

/** Names of things by id. */
export type Names = ReadonlyMap<string, string>;

const GONE: ReadonlySet<unknown> = new Set(['node_not_found', 'edge_not_found']);

/** The nodes and edges that operations refer to, with their current names. */
export function namesIn(operations: unknown, { nodes, edges }: WorkspaceState): Names {
  const names = new Map<string, string>();
  const note = (id: string) => {
    const node = nodes.get(id);
    const edge = edges.get(id);
    if (node) names.set(id, node.label);
    else if (edge)
      names.set(
        id,
        `${nodes.get(edge.source)?.label ?? edge.source} → ${nodes.get(edge.target)?.label ?? edge.target}`,
      );
  };
  const read = (value: unknown): void => {
    if (typeof value === 'string') note(value);
    else if (Array.isArray(value)) value.forEach(read);
    else if (value && typeof value === 'object')
      for (const [key, inner] of Object.entries(value)) {
        note(key);
        read(inner);
      }
  };
  read(operations);
  return names;
}

/** The outcome, reworded; where the name is not known, the server's message without its suggestion. */
export function deletedMeanwhile(outcome: Outcome, names: Names, { nodes, edges }: WorkspaceState): Outcome {
  if (outcome.kind === 'committed') return outcome;
  const [first, ...more] = outcome.problems.filter(({ code }) => GONE.has(code));
  if (!first) return outcome;
  const others = outcome.problems.filter(({ code }) => !GONE.has(code));
  const gone = [...names].filter(([id]) => !nodes.has(id) && !edges.has(id)).map(([, name]) => name);
  const deletions =
    gone.length > 0
      ? [
          {
            ...first,
            message: `${gone.join(', ')} ${gone.length === 1 ? 'has' : 'have'} been deleted meanwhile.`,
          },
        ]
      : [first, ...more].map((problem) => ({
          ...problem,
          message: String(problem.message).split(' Did you mean ')[0],
        }));
  return { ...outcome, problems: [...deletions, ...others] };
}
