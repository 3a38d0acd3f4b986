/** What a proposal would make of the lines of a diagram: lines that go, that read otherwise, and that come. Pure. */
import type { Step } from '../../protocol/live';
import type { Diagram } from '../../protocol/types';
import { ghostsOf } from '../drawing/ghosts';
import { project } from './projection';
import type { TypeOfName } from './syntax';

export interface GhostLines {
  /** Keys of lines that would go. */
  readonly going: ReadonlySet<string>;
  /** What lines would read, by key; under the key of the line that they would follow, what would come. */
  readonly below: ReadonlyMap<string, readonly string[]>;
}

export function ghostLines(diagram: Diagram, steps: readonly Step[], typeOf: TypeOfName): GhostLines {
  const { all, marks } = ghostsOf(diagram, steps);
  const before = project(diagram, typeOf).texts;
  const after = project(
    {
      nodes: all.nodes.filter(({ id }) => marks.nodes.get(id) !== 'removed'),
      edges: all.edges.filter(({ id }) => marks.edges.get(id) !== 'removed'),
    },
    typeOf,
  ).texts;
  const below = new Map<string, string[]>();
  // What would come first stands below the first line all the same.
  let [above = ''] = before.keys();
  for (const [key, text] of after) {
    const now = before.get(key);
    if (now !== undefined) above = key;
    if (now !== text) below.set(above, [...(below.get(above) ?? []), text]);
  }
  return { going: new Set([...before.keys()].filter((key) => !after.has(key))), below };
}
