/** Maths in the syntax tree of the editor, where Read finds it: what stands in it is no Markdown. Not here: how it is drawn. */
import { mathsAt } from '../../../model/text/syntax/mathsInLine';

interface InlineContext {
  text: string;
  offset: number;
  elt(type: string, from: number, to: number): unknown;
  addElement(element: unknown): number;
}

export const mathsSyntax = {
  defineNodes: ['Maths'],
  parseInline: [
    {
      name: 'Maths',
      before: 'Escape',
      parse(context: InlineContext, _next: number, at: number): number {
        const found = mathsAt(context.text, at - context.offset, context);
        return found ? context.addElement(context.elt('Maths', at, context.offset + found.to)) : -1;
      },
    },
  ],
};
