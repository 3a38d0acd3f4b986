import { insertNewlineAndIndent } from '@codemirror/commands';
import { ensureSyntaxTree } from '@codemirror/language';
import { EditorSelection, EditorState, type Transaction } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { Written } from '../../e2e/gestureModel';
import { newline } from '../../src/view/document/editor/formatting';
import { documentLanguage } from '../../src/view/document/editor/language';
import { seeds } from '../sync/random';

/** A state whose text is parsed to its end, however long that takes. */
function wholly(state: EditorState): EditorState {
  ensureSyntaxTree(state, state.doc.length, 10_000);
  return state.update({}).state;
}

const parsed = (doc: string) => wholly(EditorState.create({ doc, extensions: documentLanguage() }));

/** Presses Enter and types, with a bar for each press of Enter; the caret is at `^`, else at the end. */
function typed(text: string, keys: string): string {
  const at = text.includes('^') ? text.indexOf('^') : text.length;
  let state = parsed(text.replace('^', '')).update({ selection: EditorSelection.cursor(at) }).state;
  for (const part of keys.split(/(\|)/)) {
    const isDone = part === '|' && newline({ state, dispatch: (done) => (state = done.state) });
    if (!isDone) state = state.update(state.replaceSelection(part === '|' ? '\n' : part)).state;
    state = wholly(state);
  }
  return state.doc.toString();
}

describe('Enter', () => {
  it.each([
    ['- a', '- a\n- b'],
    ['3. a', '3. a\n4. b'],
    ['- [x] a', '- [x] a\n- [ ] b'],
    ['> - a', '> - a\n> - b'],
    ['> a', '> a\n> b'],
  ])('goes on with what %s is', (text, result) => {
    expect(typed(text, '|b')).toBe(result);
  });

  it.each([
    ['- a', '- a\n\npara'],
    ['- a\n- b', '- a\n- b\n\npara'],
    ['1. a', '1. a\n\npara'],
    ['- [ ] a', '- [ ] a\n\npara'],
    ['> - a', '> - a\n>\n> para'],
    ['- a\n\n- b', '- a\n\n- b\n\npara'],
  ])('in an empty item ends the list: %s', (text, result) => {
    expect(typed(text, '||para')).toBe(result);
  });

  it('in an empty nested item ends its level', () => {
    expect(typed('- a\n  - b', '||c')).toBe('- a\n  - b\n- c');
    expect(typed('1. a\n   1. b', '||c')).toBe('1. a\n   1. b\n2. c');
    expect(typed('- a\n  - b', '|||para')).toBe('- a\n  - b\n\npara');
  });

  it('leaves what follows the list where it is', () => {
    expect(typed('- a^\n\nnext', '||para')).toBe('- a\n\npara\n\nnext');
  });

  it('is plain within code and paragraphs', () => {
    expect(typed('```\n- a', '|b')).toBe('```\n- a\nb');
    expect(typed('para', '|b')).toBe('para\nb');
  });
});

describe('the string of random gestures', () => {
  const TABLE = '| Name | Use | Note |\n| --- | :-: | --- |\n| a | b | c |';
  const MARKS = ['- ', '- [ ] ', '- [x] ', '- [ ]  ', '- [ ]', '', '', '  '];
  const WORDS = ['', 'x', 'yz', ' word', '**w** x', '- ', '  '];

  /** Enter at a position of a text that is parsed, as the keys of the editor have it. */
  function broken(before: EditorState, at: number): string {
    let state = before.update({ selection: EditorSelection.cursor(at) }).state;
    const target = { state, dispatch: (done: Transaction) => (state = done.state) };
    if (!newline(target)) insertNewlineAndIndent(target);
    return state.doc.toString();
  }

  it('has Enter in lists as the editor has it, wherever it has a rule', () => {
    let known = 0;
    for (const random of seeds(200)) {
      const lines = Array.from({ length: 6 }, () => random.pick(MARKS) + random.pick(WORDS));
      const list = lines.join('\n');
      const text = `# Plan\n\n${list}\n\n${TABLE}\n\n${'end '.repeat(60)}`;
      const state = parsed(text);
      for (let at = 8; at <= 8 + list.length; at++) {
        const written = new Written(text);
        const seen = { text, anchor: at, head: at, depth: { undo: 0, redo: 0 }, cell: null };
        if (!written.press(seen, 'Enter')) continue;
        known++;
        expect(broken(state, at), `seed ${random.seed}, at ${at}: ${JSON.stringify(list)}`).toBe(
          written.text,
        );
      }
    }
    expect(known).toBeGreaterThan(1000);
  });

  it.each([
    ['- [ ] ', 'an empty task, which ends the list'],
    ['- [ ]  x', 'a task with more blanks'],
  ])('has no rule for Enter at the end of "%s", %s', (line) => {
    const text = `# Plan\n\n${line}\n\n${TABLE}\n\n${'end '.repeat(60)}`;
    const at = 8 + line.length;
    const seen = { text, anchor: at, head: at, depth: { undo: 0, redo: 0 }, cell: null };
    expect(new Written(text).press(seen, 'Enter')).toBe(false);
  });
});
