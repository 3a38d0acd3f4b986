/** Whether text that is put at a position would be code. Used by what is pasted and by what is offered while typing. */
import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';

export function isInCode(state: EditorState, at: number): boolean {
  for (let node = syntaxTree(state).resolveInner(at, -1); node.parent; node = node.parent) {
    // A block that is not closed goes on behind its end.
    const isWithin = node.from < at && (at < node.to || node.name !== 'InlineCode');
    if (/^(?:FencedCode|CodeBlock|InlineCode)$/.test(node.name) && isWithin) return true;
  }
  return false;
}
