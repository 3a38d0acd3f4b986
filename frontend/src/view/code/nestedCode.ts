/**
 * Code of other languages within the Markdown of the text editor. Which languages there are is loaded with the first fence
 * that names one, and each language with its first code.
 */
import { ParseContext } from '@codemirror/language';
import { type Input, parseMixed, type SyntaxNodeRef } from '@lezer/common';
import { loader } from '../ui/loading/later';
import { MAX_CODE } from './codeLook';

const languages = loader(() => import('./languages'));
const MAX_INFO = 100;

/** For the parser of Markdown: what lies between fences is parsed by the language that they name. */
export const nestedCode = {
  wrap: parseMixed((node: SyntaxNodeRef, input: Input) => {
    if (node.name !== 'FencedCode' || node.to - node.from > MAX_CODE) return null;
    const info = node.node.getChild('CodeInfo');
    const parser = info && parserFor(input.read(info.from, Math.min(info.to, info.from + MAX_INFO)));
    return parser && { parser, overlay: (inside) => inside.name === 'CodeText' };
  }),
};

function parserFor(info: string) {
  if (!languages.known) return whenLoaded(languages.load());
  const language = languages.known.languageOf(info);
  return language && (language.support?.language.parser ?? whenLoaded(language.load()));
}

/** Leaves code plain until then. */
const whenLoaded = (loading: Promise<unknown>) =>
  ParseContext.getSkippingParser(loading.catch(() => undefined));
