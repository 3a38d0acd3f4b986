/** The legend of line kinds; only where there is more than one kind. */
import { Panel } from '@xyflow/react';
import { KIND_NAMES } from '../../model/words/kinds';
import type { DiagramEdge, EdgeKind } from '../../protocol/types';

const ORDER: EdgeKind[] = ['sync', 'async', 'data', 'dependency'];

export function EdgeKey({ edges }: { edges: readonly DiagramEdge[] }) {
  const used = ORDER.filter((kind) => edges.some((edge) => edge.kind === kind));
  if (used.length < 2) return null;
  return (
    <Panel position="top-right" className="edge-key">
      <ul aria-label="Kinds of connections">
        {used.map((kind) => (
          <li key={kind}>
            <svg width="28" height="8" aria-hidden="true" focusable="false">
              <path className={`edge-line ${kind}`} d="M1 4H27" />
            </svg>
            {KIND_NAMES[kind]}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
