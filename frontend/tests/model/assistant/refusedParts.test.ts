/** What of a request was refused: what was corrected is not among it, and what was not corrected is. */
import { describe, expect, it } from 'vitest';
import {
  mayHaveCorrected,
  partsWords,
  refusedParts,
  solvedProblems,
} from '../../../src/model/assistant/refusedParts';
import { NO_PROGRESS } from '../../../src/model/assistant/runProgress';
import type { Problem, RunOutcome } from '../../../src/protocol/types';

const problem = (message: string): Problem =>
  ({ index: 0, path: '', code: 'node_not_found', message, candidates: [] }) as unknown as Problem;
const batch = (tool: string, operations: number, why: string, problems: Problem[] = []) => ({
  tool,
  operations,
  why,
  problems,
});
const outcome = (parts: Partial<RunOutcome>): RunOutcome => parts as RunOutcome;

describe('a part that was refused', () => {
  it('is named by what it was about and how much, with the reason once', () => {
    const refused = [
      batch('edit_diagram', 1, 'No node is called Foo.', [problem('No node is called Foo.')]),
      batch('rewrite_document', 0, 'It could not be read.'),
      batch('constructor', 2, 'There is no such tool.'),
    ];
    expect(refusedParts(outcome({ refused }))).toEqual([
      {
        what: 'A change of the diagram (1 operation)',
        why: '',
        problems: [problem('No node is called Foo.')],
      },
      { what: 'The document as a whole', why: 'It could not be read.', problems: [] },
      { what: 'A call of “constructor” (2 operations)', why: 'There is no such tool.', problems: [] },
    ]);
  });

  it('has a reason in words also where the server gives none', () => {
    expect(refusedParts(outcome({ refused: [batch('edit_diagram', 1, '')] }))[0]?.why).toBe(
      'This was refused.',
    );
  });

  it('is counted', () => {
    expect(partsWords(outcome({ parts: { done: 1, of: 2 } }))).toBe('1 of 2 parts');
    expect(partsWords(outcome({ parts: { done: 2, of: 2 } }))).toBe('');
    expect(partsWords(outcome({ refused: [batch('edit_diagram', 1, 'No.')] }))).toBe('not all of it');
    expect([partsWords(outcome({})), partsWords(null)]).toEqual(['', '']);
  });
});

describe('a correction', () => {
  it('is looked for where more batches were refused than were left out', () => {
    const call = (name: string, status: 'ok' | 'refused') => ({ name, status, input: '', result: '' });
    const refused = call('edit_diagram', 'refused');
    const calls = [refused, call('read_section', 'refused'), call('edit_diagram', 'ok')];
    expect(mayHaveCorrected(outcome({ tool_calls: calls, iterations: 5 }))).toBe(true);
    const left = [batch('edit_diagram', 1, 'No.')];
    expect(mayHaveCorrected(outcome({ tool_calls: calls, iterations: 5, refused: left }))).toBe(false);
    // Stored before calls were kept.
    expect(mayHaveCorrected(outcome({ iterations: 3 }))).toBe(true);
    expect(mayHaveCorrected(outcome({ iterations: 2 }))).toBe(false);
  });
});

describe('a problem that was solved', () => {
  it('is one of those that batches were refused for and that are not among what was left out', () => {
    const [foo, bar] = [problem('No Foo.'), problem('No Bar.')];
    const refused = [{ problems: [foo, bar] }, { problems: [foo] }];
    const ended = (left: Problem[]) => ({
      ...NO_PROGRESS,
      refused,
      end: {
        status: 'applied' as const,
        outcome: outcome(left.length > 0 ? { refused: [batch('edit_diagram', 1, 'No.', left)] } : {}),
      },
    });
    expect(solvedProblems(ended([]))).toEqual([[foo, bar], [foo]]);
    expect(solvedProblems(ended([foo]))).toEqual([[bar]]);
    expect(solvedProblems(ended([foo, bar]))).toEqual([]);
    const unread = { ...ended([]), refused: [{ problems: [problem('It could not be read.')] }] };
    unread.end.outcome = outcome({ refused: [batch('edit_diagram', 0, 'It could not be read.')] });
    expect(solvedProblems(unread)).toEqual([]);
  });
});
