/** A gentle layout goes on until nothing gets better; one from scratch is made once. */
import { describe, expect, it } from 'vitest';
import { withMoves } from '../../../src/model/layout/moves';
import { scoreOf } from '../../../src/model/layout/score/judge';
import type { ArrangeAnswer, ArrangeRequest } from '../../../src/model/layout/search/arrange';
import { repeated } from '../../../src/model/layout/search/repeated';
import { node } from '../../builders';

const diagram = { nodes: [node('a', { position: { x: 0, y: 0 } })], edges: [] };
const request = (mode: 'scratch' | 'gentle'): ArrangeRequest => ({
  diagram,
  mode,
  ids: null,
  room: null,
  variants: null,
});

/** Moves its node by 100 to the right as long as it is left of 250, and counts how often it was asked. */
function steps() {
  const asked: ArrangeRequest[] = [];
  const once = async (one: ArrangeRequest): Promise<ArrangeAnswer> => {
    asked.push(one);
    const { x = 0, y = 0 } = one.diagram.nodes[0]?.position ?? {};
    const operation = x < 250 ? { op: 'move_nodes' as const, positions: { a: { x: x + 100, y } } } : null;
    return {
      operation,
      after: scoreOf(withMoves(one.diagram, operation)),
      note: operation ? null : 'no more',
    };
  };
  return { asked, once };
}

describe('a layout that is repeated', () => {
  it('gently ends where nothing gets better, as one operation from what was there', async () => {
    const { asked, once } = steps();
    const answer = await repeated(request('gentle'), once);
    expect(answer).toMatchObject({ operation: { positions: { a: { x: 300, y: 0 } } }, note: null });
    expect(asked).toHaveLength(4);
    const again = { ...request('gentle'), diagram: withMoves(diagram, answer.operation) };
    expect((await repeated(again, once)).operation).toBeNull();
  });

  it('from scratch is made once', async () => {
    const { asked, once } = steps();
    expect((await repeated(request('scratch'), once)).operation).toMatchObject({
      positions: { a: { x: 100 } },
    });
    expect(asked).toHaveLength(1);
  });
});
