/**
 * Maths as MathML, which browsers draw themselves: no fonts, no style attributes. Made by KaTeX, within bounds, and sanitised.
 * Not here: where maths stands in a text (`model/text/syntax/maths.ts`).
 */
import createDOMPurify from 'dompurify';
import katex from 'katex';

export type Maths = { mathml: DocumentFragment } | { error: string };

/** Longer maths is shown as it is written. */
const MAX_MATHS = 5_000;
/** Macros are expanded at most so often, and nothing is larger than so many em. */
const MAX_EXPAND = 500;
const MAX_SIZE = 20;
/** Longer MathML, or deeper one, is not drawn. */
const MAX_OUT = 200_000;
const MAX_DEPTH = 100;

const purifier = createDOMPurify(window);

/** The MathML of TeX, or why there is none. `isBlock`: in a line of its own. */
export function mathsToMathML(tex: string, isBlock: boolean): Maths {
  if (tex.length > MAX_MATHS)
    return { error: `it has more than ${MAX_MATHS.toLocaleString('en')} characters` };
  try {
    const html = katex.renderToString(tex, {
      output: 'mathml',
      displayMode: isBlock,
      throwOnError: true,
      strict: 'ignore',
      trust: false,
      maxExpand: MAX_EXPAND,
      maxSize: MAX_SIZE,
    });
    if (html.length > MAX_OUT) return { error: 'it becomes too large' };
    if (depthOf(html) > MAX_DEPTH) return { error: TOO_DEEP };
    return { mathml: sanitisedMaths(html.replace(/<annotation.*?<\/annotation>/gs, '')) };
  } catch (error) {
    return { error: reasonOf(error) };
  }
}

const TOO_DEEP = 'it is nested too deep';

function depthOf(html: string): number {
  let [depth, most] = [0, 0];
  for (const [, closing, empty] of html.matchAll(/<(\/?)[a-z][^<>]*?(\/?)>/g)) {
    if (!empty) depth += closing ? -1 : 1;
    most = Math.max(most, depth);
  }
  return most;
}

const reasonOf = (error: unknown): string =>
  error instanceof RangeError
    ? TOO_DEEP
    : error instanceof Error
      ? error.message.replace(/^KaTeX parse error: /, '').slice(0, 200)
      : 'it cannot be read';

function sanitisedMaths(html: string): DocumentFragment {
  return purifier.sanitize(html, {
    USE_PROFILES: { mathMl: true },
    FORBID_TAGS: ['style', 'mglyph', 'malignmark', 'maction', 'annotation-xml'],
    FORBID_ATTR: ['style', 'href', 'xlink:href', 'id', 'class', 'src', 'actiontype'],
    ALLOW_DATA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
}
