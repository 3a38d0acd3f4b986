import { describe, expect, it } from 'vitest';
import { batchWords, callWords } from '../../../src/model/words/toolWords';

describe('a call of a tool in words', () => {
  it('has changed something once the request is applied, and not before', () => {
    const call = { name: 'edit_diagram', status: 'ok' } as const;
    expect(callWords(call, true)).toBe('Changed the diagram');
    expect(callWords(call, false)).toBe('Prepared changes of the diagram');
  });

  it('was tried where it was refused, and is named where there is no such tool', () => {
    expect(callWords({ name: 'edit_document', status: 'refused' }, true)).toBe(
      'Tried to change the document',
    );
    expect(callWords({ name: 'delete_all', status: 'unknown_tool' }, true)).toBe(
      'Called “delete_all”, which does not exist',
    );
  });

  it('names a tool of a plugin, and does not say that it was called where it was not', () => {
    expect(callWords({ name: 'charts__newest', status: 'ok' }, false)).toBe('Called “newest” of charts');
    expect(callWords({ name: 'charts__install', status: 'refused' }, false)).toBe(
      'Did not call “install” of charts',
    );
  });

  it('says what was looked up, and names a tool that this page does not know', () => {
    expect(callWords({ name: 'find_nodes', status: 'ok' }, true)).toBe('Looked for nodes');
    expect(callWords({ name: 'toString', status: 'ok' }, true)).toBe('Called “toString”');
    expect(batchWords('valueOf')).toBe('A call of “valueOf”');
  });
});
