// @vitest-environment jsdom
/** What stands in the field where one asks is lost by nothing but being taken, or being replaced with a word about it. */
import { beforeEach, describe, expect, it } from 'vitest';
import { DraftStore } from '../../src/sync/assistant/draft';

const field = (draftStore: DraftStore) => draftStore.state.getState().text;

describe('what is being written to the assistant', () => {
  beforeEach(() => sessionStorage.clear());

  it('is there again after a reload', () => {
    new DraftStore('w').write('add a cache');
    expect(field(new DraftStore('w'))).toBe('add a cache');
    expect(field(new DraftStore('other'))).toBe('');
  });

  it('is meant as it was after a reload: a question does not become a change', () => {
    new DraftStore('w').setWorkflow('ask');
    expect(new DraftStore('w').state.getState().workflow).toBe('ask');
    new DraftStore('w').setWorkflow('recommend');
    expect(new DraftStore('w').state.getState().workflow).toBe('recommend');
    new DraftStore('w').setWorkflow('edit');
    expect(new DraftStore('w').state.getState().workflow).toBe('edit');
  });

  it('is there again after a reload until the server has it', () => {
    const draftStore = new DraftStore('w');
    draftStore.write(' add a cache ');
    draftStore.sent();
    expect(field(draftStore)).toBe('');
    expect(field(new DraftStore('w'))).toBe(' add a cache ');
    draftStore.accepted('add a cache');
    expect(field(new DraftStore('w'))).toBe('');
  });

  it('knows what was sent last before anybody has answered', () => {
    const draftStore = new DraftStore('w');
    expect(draftStore.state.getState().last).toBe('');
    draftStore.write(' add a cache ');
    draftStore.sent();
    draftStore.write('rename it');
    expect(draftStore.state.getState().last).toBe('add a cache');
  });

  it('is not lost by what was sent before it being taken', () => {
    const draftStore = new DraftStore('w');
    draftStore.write('add a cache');
    draftStore.sent();
    draftStore.write('rename it');
    draftStore.accepted('add a cache');
    expect(field(new DraftStore('w'))).toBe('rename it');
  });

  it('is handed back where something else is put in its place', () => {
    const draftStore = new DraftStore('w');
    expect(draftStore.put('first')).toBe('');
    expect(draftStore.put('second')).toBe('');
    draftStore.write('second thoughts');
    expect(draftStore.put('third')).toBe('second thoughts');
    expect(draftStore.put('third')).toBe('');
  });
});
