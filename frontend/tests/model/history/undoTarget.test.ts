import { describe, expect, it } from 'vitest';
import {
  type UndoInput,
  undoTarget,
  undoTargetOffline,
  undoWords,
} from '../../../src/model/history/undoTarget';
import type { UndoState } from '../../../src/protocol/types';

const NOTHING: UndoState = {
  undo: null,
  redo: null,
  undo_document: null,
  undo_typing: null,
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
  isTypedHere: () => false,
  ...given,
});

describe('what undo takes', () => {
  it('is the newest commit on the canvas, whatever was typed', () => {
    const choice = undoTarget(facts({ focus: 'canvas', typed: 3 }));
    expect(choice).toEqual({ kind: 'commit', ...move, touching: null });
  });

  it('is in the document the newest commit that changed it', () => {
    expect(undoTarget(facts())).toEqual({ kind: 'commit', ...section, touching: 'document' });
  });

  it('is in the document what was typed, where that is newer than the commit', () => {
    expect(undoTarget(facts({ typed: 2, typedAt: () => 1 }))).toEqual({ kind: 'typing' });
    expect(undoTarget(facts({ typed: 1, typedAt: () => 1 }))?.kind).toBe('commit');
  });

  it('takes typing for newer than a commit from before this page', () => {
    expect(undoTarget(facts({ typed: 1 }))).toEqual({ kind: 'typing' });
  });

  it('is typing from before a reload, where that is newer than the commit and the editor remembers none', () => {
    const run = { rev: 8, label: 'Typed in Risks' };
    const state = { ...NOTHING, undo: move, undo_document: section, undo_typing: run };
    expect(undoTarget(facts({ state }))).toEqual({ kind: 'commit', ...run, touching: 'typing' });
    expect(undoTarget(facts({ state: { ...state, undo_document: null } }))?.kind).toBe('commit');
    expect(undoTarget(facts({ state, typed: 1 }))).toEqual({ kind: 'typing' });
    const older = { ...state, undo_typing: { ...run, rev: 6 } };
    expect(undoTarget(facts({ state: older }))).toMatchObject({ rev: 7, touching: 'document' });
    expect(undoTarget(facts({ state, focus: 'canvas' }))).toMatchObject({ rev: 9, touching: null });
  });

  it('is no typing that the editor has undone itself, also where something else was done in between', () => {
    const state = { ...NOTHING, undo_document: section, undo_typing: { rev: 8, label: 'Typed in Risks' } };
    const choice = undoTarget(facts({ state, isTypedHere: (rev) => rev === 8 }));
    expect(choice).toMatchObject({ rev: 7, touching: 'document' });
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
      touching: 'document',
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

describe('what undo takes while the server does not answer', () => {
  const waiting = { label: 'Add “Cache”', at: 2_000 };
  const away = { way: 'undo', focus: 'document', typed: 1, waiting, lastTypedAt: 1_000 } as const;

  it('is the newer of what was typed and of the newest batch that waits', () => {
    expect(undoTargetOffline(away)).toEqual({ kind: 'waiting', label: 'Add “Cache”' });
    expect(undoTargetOffline({ ...away, lastTypedAt: 3_000 })).toEqual({ kind: 'typing' });
    expect(undoTargetOffline({ ...away, waiting: null })).toEqual({ kind: 'typing' });
    expect(undoTargetOffline({ ...away, typed: 0 })?.kind).toBe('waiting');
    expect(undoWords('undo', undoTargetOffline(away), 'document')).toBe('Undo: Add “Cache” (not saved yet)');
  });

  it('is on the canvas the newest batch, whatever was typed', () => {
    expect(undoTargetOffline({ ...away, focus: 'canvas', lastTypedAt: 3_000 })?.kind).toBe('waiting');
    expect(undoTargetOffline({ ...away, focus: 'canvas', waiting: null })).toBeNull();
  });

  it('brings back typing alone', () => {
    expect(undoTargetOffline({ ...away, way: 'redo' })).toEqual({ kind: 'typing' });
    expect(undoTargetOffline({ ...away, way: 'redo', typed: 0 })).toBeNull();
  });
});
