/** Paragraphs in live preview: lines that are broken by hand flow together, as in Read, except where the caret is. */
import type { EditorState } from '@codemirror/state';
import type { Stretch } from '../partState';
import type { BlockKind } from './blocks';
import type { SyntaxNode } from './syntax';

/** A longer paragraph stays as it is: its lines would be gone through at each key. */
const MAX_LENGTH = 20_000;

export const paragraphs: BlockKind = {
  node: 'Paragraph',
  breaksIn(state: EditorState, { from, to }: SyntaxNode): Stretch[] {
    const { doc } = state;
    const breaks: Stretch[] = [];
    if (to - from > MAX_LENGTH || state.sliceDoc(from, from + 2) === '$$') return breaks;
    for (let line = doc.lineAt(from); line.to < to; ) {
      const next = doc.lineAt(line.to + 1);
      const indentation = next.text.length - next.text.trimStart().length;
      // Two blanks or a backslash end a line for good, and footnotes stand below each other.
      const isBreak = /(?: {2}|\\)$/.test(line.text) || next.text.startsWith('[^');
      if (!isBreak) breaks.push({ from: line.to, to: next.from + indentation });
      line = next;
    }
    return breaks;
  },
};
