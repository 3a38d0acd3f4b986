/** What stands in the field where one asks is lost by nothing but being taken, or being replaced with a word about it. */
import { beforeEach, describe, expect, it } from 'vitest';
import { Composing } from '../../src/sync/assistant/draft';

const field = (composing: Composing) => composing.state.getState().text;

describe('what is being written to the assistant', () => {
  beforeEach(() => sessionStorage.clear());

  it('is there again after a reload', () => {
    new Composing('w').write('add a cache');
    expect(field(new Composing('w'))).toBe('add a cache');
    expect(field(new Composing('other'))).toBe('');
  });

  it('is meant as it was after a reload: a question does not become a change', () => {
    new Composing('w').setDoing('ask');
    expect(new Composing('w').state.getState().doing).toBe('ask');
    new Composing('w').setDoing('edit');
    expect(new Composing('w').state.getState().doing).toBe('edit');
  });

  it('is there again after a reload until the server has it', () => {
    const composing = new Composing('w');
    composing.write(' add a cache ');
    composing.sent();
    expect(field(composing)).toBe('');
    expect(field(new Composing('w'))).toBe(' add a cache ');
    composing.taken('add a cache');
    expect(field(new Composing('w'))).toBe('');
  });

  it('is not lost by what was sent before it being taken', () => {
    const composing = new Composing('w');
    composing.write('add a cache');
    composing.sent();
    composing.write('rename it');
    composing.taken('add a cache');
    expect(field(new Composing('w'))).toBe('rename it');
  });

  it('is handed back where something else is put in its place', () => {
    const composing = new Composing('w');
    expect(composing.put('first')).toBe('');
    expect(composing.put('second')).toBe('');
    composing.write('second thoughts');
    expect(composing.put('third')).toBe('second thoughts');
    expect(composing.put('third')).toBe('');
  });
});
