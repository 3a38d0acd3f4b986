import { EditorState } from '@codemirror/state';
import { expect, it } from 'vitest';
import { isInCode } from '../../src/view/document/editor/caretInCode';
import { documentLanguage } from '../../src/view/document/editor/language';

it.each([
  ['```\n^', true],
  ['```\na^\n```\n', true],
  ['```\n^\n```\n', true],
  ['a\n\n    co^de', true],
  ['a `b^c` d', true],
  ['a `bc`^ d', false],
  ['a ^`bc` d', false],
  ['^```\na\n```\n', false],
  ['```\na\n```\n^', false],
  ['^', false],
])('knows whether the caret is in code: %j', (marked, isCode) => {
  const state = EditorState.create({ doc: marked.replace('^', ''), extensions: documentLanguage() });
  expect(isInCode(state, marked.indexOf('^'))).toBe(isCode);
});
