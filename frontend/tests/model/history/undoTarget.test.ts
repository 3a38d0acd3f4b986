import { describe, expect, it } from 'vitest';
import { type UndoInput, undoTarget, undoWords } from '../../../src/model/history/undoTarget';
import type { UndoState } from '../../../src/protocol/types';

const NOTHING: UndoState = {
  undo: null,
  redo: null,
  undo_document: null,
  redo_document: null,
  undo_all: null,
};
const move = { rev: 9, label: 'Moved node Orders' };
const section = { rev: 7, label: 'Edited “Risks” in the document' };

const facts = (given: Partial<UndoInput> = {}): UndoInput => ({
  way: 'undo',
  focus: 'document',
  state: { ...NOTHING, undo: move, undo_document: section },
  typed: 0,
  typedAt: () => undefined,
  ...given,
});

describe('what undo takes', () => {
  it('is the newest commit on the canvas, whatever was typed', () => {
    const choice = undoTarget(facts({ focus: 'canvas', typed: 3 }));
    expect(choice).toEqual({ kind: 'commit', ...move, isOfDocument: false });
  });

  it('is in the document the newest commit that changed it', () => {
    expect(undoTarget(facts())).toEqual({ kind: 'commit', ...section, isOfDocument: true });
  });

  it('is in the document what was typed, where that is newer than the commit', () => {
    expect(undoTarget(facts({ typed: 2, typedAt: () => 1 }))).toEqual({ kind: 'typing' });
    expect(undoTarget(facts({ typed: 1, typedAt: () => 1 }))?.kind).toBe('commit');
  });

  it('takes typing for newer than a commit from before this page', () => {
    expect(undoTarget(facts({ typed: 1 }))).toEqual({ kind: 'typing' });
  });

  it('is nothing in a document in which nothing of one’s own stands, also with moves on the stack', () => {
    const choice = undoTarget(facts({ state: { ...NOTHING, undo: move } }));
    expect(choice).toBeNull();
    expect(undoWords('undo', choice, 'document')).toBe('Nothing of yours to undo in the document');
  });

  it('is typing alone while the server has not said what it has', () => {
    expect(undoTarget(facts({ state: null }))).toBeNull();
    expect(undoTarget(facts({ state: null, typed: 1 }))).toEqual({ kind: 'typing' });
    expect(undoTarget(facts({ state: null, typed: 1, focus: 'canvas' }))).toBeNull();
  });

  it('brings back by the same rule', () => {
    const state = { ...NOTHING, redo: move, redo_document: section };
    expect(undoTarget(facts({ way: 'redo', state, typed: 1, typedAt: () => 1 }))).toEqual({
      kind: 'commit',
      ...section,
      isOfDocument: true,
    });
    expect(undoTarget(facts({ way: 'redo', state, typed: 2, typedAt: () => 1 }))).toEqual({ kind: 'typing' });
  });

  it('is named', () => {
    expect(undoWords('undo', undoTarget(facts({ focus: 'canvas' })), 'canvas')).toBe(
      'Undo: Moved node Orders',
    );
    expect(undoWords('redo', { kind: 'typing' }, 'document')).toBe('Redo: your typing');
    expect(undoWords('redo', null, 'canvas')).toBe('Nothing to redo');
  });
});
