import { EditorSelection, EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { newline } from '../../src/view/document/editor/formatting';
import { documentLanguage } from '../../src/view/document/editor/language';

/** Presses Enter and types, with a bar for each press of Enter; the caret is at `^`, else at the end. */
function typed(text: string, keys: string): string {
  const at = text.includes('^') ? text.indexOf('^') : text.length;
  let state = EditorState.create({
    doc: text.replace('^', ''),
    selection: EditorSelection.cursor(at),
    extensions: documentLanguage(),
  });
  for (const part of keys.split(/(\|)/)) {
    const isDone = part === '|' && newline({ state, dispatch: (done) => (state = done.state) });
    if (!isDone) state = state.update(state.replaceSelection(part === '|' ? '\n' : part)).state;
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
