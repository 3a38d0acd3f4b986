/** The types of the syntax tree, as CodeMirror hands it out. */
import type { syntaxTree } from '@codemirror/language';

export type Tree = ReturnType<typeof syntaxTree>;
export type SyntaxNode = Tree['topNode'];
export type SyntaxNodeRef = Parameters<Parameters<Tree['iterate']>[0]['enter']>[0];
