import { describe, expect, it } from 'vitest';
import { allIndexes, proposalRows, toggled } from '../../../src/model/assistant/proposalSelection';
import type { ProposedOperation } from '../../../src/protocol/types';

const operation = (index: number, depends_on: number[] = [], why = ''): ProposedOperation =>
  ({ index, what: `Operation ${index}`, depends_on, fits: why === '', why }) as ProposedOperation;

/** 1 and 2 build on 0, 3 on 1; 4 stands alone. */
const CHAIN = [operation(0), operation(1, [0]), operation(2, [0]), operation(3, [0, 1]), operation(4)];
const list = (chosen: Iterable<number>) => [...chosen].sort();

describe('the ticks of a proposal', () => {
  it('are all set at first', () => {
    expect(list(allIndexes(CHAIN))).toEqual([0, 1, 2, 3, 4]);
  });

  it('unticking takes along what builds on it', () => {
    const { chosen, also } = toggled(CHAIN, allIndexes(CHAIN), 1);
    expect([list(chosen), also]).toEqual([[0, 2, 4], [3]]);
  });

  it('ticking takes along what it builds on', () => {
    const { chosen, also } = toggled(CHAIN, new Set([4]), 3);
    expect([list(chosen), also]).toEqual([
      [0, 1, 3, 4],
      [0, 1],
    ]);
  });

  it('leave alone what has nothing to do with it', () => {
    expect(toggled(CHAIN, allIndexes(CHAIN), 4).also).toEqual([]);
  });

  it('cannot be set where it no longer fits, nor on what builds on that', () => {
    const broken = [operation(0, [], 'Orders was deleted'), operation(1, [0]), operation(2)];
    const rows = proposalRows(broken, new Set([0, 1, 2]));
    expect(rows.map(({ isChecked }) => isChecked)).toEqual([false, false, true]);
    expect(rows[0]?.why).toBe('Orders was deleted');
    expect(rows[1]?.why).toContain('Operation 0');
  });

  it('are set again once it fits again, but for those that somebody took away', () => {
    const broken = CHAIN.map((one) => (one.index === 1 ? operation(1, [0], 'Orders was deleted') : one));
    const { chosen, also } = toggled(broken, allIndexes(broken), 2);
    expect(also).toEqual([]);
    expect(proposalRows(broken, chosen).map(({ isChecked }) => isChecked)).toEqual([
      true,
      false,
      false,
      false,
      true,
    ]);
    expect(proposalRows(CHAIN, chosen).map(({ isChecked }) => isChecked)).toEqual([
      true,
      true,
      false,
      true,
      true,
    ]);
  });

  it('say nothing of what went with one and did not fit in any case', () => {
    const broken = CHAIN.map((one) => (one.index === 3 ? operation(3, [0, 1], 'Mail was deleted') : one));
    const { chosen, also } = toggled(broken, allIndexes(broken), 1);
    expect([list(chosen), also]).toEqual([[0, 2, 4], []]);
  });
});
