/** Every event of a run, folded into how far it has come. */
import { describe, expect, it } from 'vitest';
import {
  NO_PROGRESS,
  type RunProgress,
  spokenText,
  withEvent,
} from '../../../src/model/assistant/runProgress';

type Event = Record<string, unknown>;

const told = (...events: Event[]): RunProgress => events.reduce(withEvent, NO_PROGRESS);
const operation = (index: number, what: string) => ({
  index,
  op: 'add_node',
  what,
  steps: [{ k: 'x', what }],
});
const ghost = (call: string, index: number, what: string): Event => ({
  type: 'ghost',
  call,
  ...operation(index, what),
});
const staged = (call: string, ...operations: Event[]): Event => ({ type: 'staged', call, operations });
const shown = ({ operations }: RunProgress) => operations.map(({ what, isReady }) => [what, isReady]);

describe('the progress of a run', () => {
  it('has a phase, words and thoughts, that grow', () => {
    const now = told(
      { type: 'phase', phase: 'thinking' },
      { type: 'thinking', text: 'The diagram' },
      { type: 'thinking', text: ' is small.' },
      { type: 'text', text: 'Adding ' },
      { type: 'text', text: 'a cache.' },
      { type: 'phase', phase: 'commit' },
    );
    expect(now).toMatchObject({
      phase: 'commit',
      thinking: 'The diagram is small.',
      text: 'Adding a cache.',
    });
  });

  it('tags of our own are left out of what is shown while it comes', () => {
    const pieces = ['<document-0badcafe characters=9>\nUse ', '<b-tree>.\n</docu', 'ment-0ba', 'dcafe>'];
    const shownAfter = (count: number) =>
      spokenText(told(...pieces.slice(0, count).map((text) => ({ type: 'text', text }))));
    expect([1, 3, 4].map(shownAfter)).toEqual(['Use', 'Use <b-tree>.', 'Use <b-tree>.']);
  });

  it('waits for a yes until it is answered or too late', () => {
    const approval = { id: '1', plugin: 'charts', tool: 'install', input: { chart: 'redis' }, until_ms: 9 };
    const asked = { type: 'approval', call: 'c', approval, state: 'asked' };
    expect(told(asked).approval).toEqual(approval);
    for (const state of ['yes', 'no', 'late']) expect(told(asked, { ...asked, state }).approval).toBeNull();
  });

  it('counts what was looked up', () => {
    expect(
      told({ type: 'read', call: 'a' }, { type: 'tool', call: 'b' }, { type: 'read', call: 'c' }).reads,
    ).toBe(2);
  });

  it('shows operations while they are written, and in their place what stands ready', () => {
    const writing = told(ghost('a', 0, 'Add'), ghost('a', 0, 'Add Cache'), ghost('a', 1, 'Connect'));
    expect(shown(writing)).toEqual([
      // What is written anew takes with it what came after.
      ['Add Cache', false],
      ['Connect', false],
    ]);
    const ready = withEvent(writing, staged('a', operation(0, 'Added Cache')));
    expect(shown(ready)).toEqual([['Added Cache', true]]);
    expect(shown(withEvent(ready, staged('b', operation(1, 'Connected it'))))).toEqual([
      ['Added Cache', true],
      ['Connected it', true],
    ]);
  });

  it('knows what all that stands ready changes in the document, also from servers that do not say so', () => {
    const document = [{ at: 1, removed: [], added: ['x'] }];
    const first = withEvent(NO_PROGRESS, { ...staged('a', operation(0, 'A')), document, revision: 7 });
    expect(first).toMatchObject({ document, revision: 7 });
    expect(withEvent(first, staged('b', operation(1, 'B')))).toMatchObject({ document, revision: 7 });
  });

  it('drops what was being written in a call that is refused, and keeps what stands ready', () => {
    const now = told(staged('a', operation(0, 'Added Cache')), ghost('b', 1, 'Connect it to nothing'), {
      type: 'refused',
      call: 'b',
      tool: 'edit_diagram',
      problems: [{ message: 'No such node.' }],
    });
    expect(shown(now)).toEqual([['Added Cache', true]]);
    expect(now.refused).toEqual([{ problems: [{ message: 'No such node.' }] }]);
  });

  it('drops what a turn told that broke off, and keeps what came before it', () => {
    const now = told(
      { type: 'text', text: 'I look.' },
      staged('a', operation(0, 'Added node Redis')),
      { type: 'thinking', text: 'hm' },
      { type: 'text', text: 'I will 🚀' },
      ghost('b', 1, 'Added node Kafka'),
      { type: 'withdrawn', text: 9, thinking: 2, calls: ['b'] },
      { type: 'waiting', seconds: 1, code: 'network' },
      { type: 'text', text: ' I add it.' },
    );
    expect(now).toMatchObject({ text: 'I look. I add it.', thinking: '' });
    expect(shown(now)).toEqual([['Added node Redis', true]]);
  });

  it('has the alternatives so far, each in its place', () => {
    const option = (index: number, title: string) => ({ type: 'option', index, title });
    const now = told(option(0, 'A limiter'), option(1, 'A setting'), option(0, 'A gateway'));
    expect(now.alternatives).toEqual(['A gateway', 'A setting']);
  });

  it('says what others have overtaken, and goes on with what is left', () => {
    const now = told(staged('a', operation(0, 'Renamed A'), operation(1, 'Renamed B')), {
      type: 'clash',
      operations: [{ index: 0, op: 'update_node', what: 'Renamed A', why: 'Ben deleted it.' }],
      left: [operation(0, 'Renamed B')],
      revision: 9,
      document: [],
    });
    expect(shown(now)).toEqual([['Renamed B', true]]);
    expect(now).toMatchObject({ revision: 9, overtaken: [{ what: 'Renamed A', why: 'Ben deleted it.' }] });
  });

  it('says that the connection broke until something of the next try comes', () => {
    const broken = told({ type: 'text', text: 'I will' }, ghost('a', 0, 'Add'), {
      type: 'withdrawn',
      text: 6,
      thinking: 0,
      calls: ['a'],
    });
    expect([broken.text, broken.operations, broken.isRetrying]).toEqual(['', [], true]);
    const waiting = withEvent(broken, { type: 'waiting', seconds: 1, code: 'network' });
    expect(waiting.isRetrying).toBe(true);
    expect(withEvent(waiting, { type: 'text', text: 'I will add' }).isRetrying).toBe(false);
  });

  it('waits until something else happens', () => {
    const waiting = told({ type: 'waiting', seconds: 12, code: 'overloaded' });
    expect(waiting.waiting).toEqual({ seconds: 12, code: 'overloaded' });
    expect(withEvent(waiting, { type: 'phase', phase: 'thinking' }).waiting).toBeNull();
  });

  it('has the tokens used so far', () => {
    const now = told(
      { type: 'usage', iterations: 1, input_tokens: 10, output_tokens: 2 },
      { type: 'usage', iterations: 2, input_tokens: 30, output_tokens: 5 },
    );
    expect(now.tokens).toEqual({ input: 30, output: 5 });
  });

  it('ends with what came of it, and keeps what was prepared', () => {
    const outcome = { revision: 3 };
    const now = told(staged('a', operation(0, 'A')), { type: 'end', status: 'applied', outcome });
    expect(now.end).toEqual({ status: 'applied', outcome });
    expect(shown(now)).toEqual([['A', true]]);
  });

  it('may be gone, with the reason', () => {
    const now = told({ type: 'gone', code: 'run_not_found', detail: 'No such run.' });
    expect(now.gone).toEqual({ code: 'run_not_found', detail: 'No such run.' });
  });

  it('passes over events that it does not know', () => {
    expect(told({ type: 'music', text: 'la' })).toEqual(NO_PROGRESS);
  });
});
