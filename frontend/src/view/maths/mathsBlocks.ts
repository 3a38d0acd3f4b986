/**
 * Draws the maths of a rendered document, a few at a time, as MathML, which browsers draw themselves: no fonts, no style
 * attributes. KaTeX makes it, within bounds, and it is sanitised; where that fails, the source says why. Not here: where
 * maths stands in a text (`model/text/syntax/maths.ts`).
 */
import createDOMPurify from 'dompurify';
import katex from 'katex';

/** As many formulas of a part are drawn. */
const MAX_DRAWN = 1_000;
/** So long nothing else waits. */
const AT_ONCE_MS = 12;

const undrawn = (prose: Element): HTMLElement[] =>
  [...prose.querySelectorAll<HTMLElement>('.maths')]
    .slice(0, MAX_DRAWN)
    .filter((place) => !place.dataset.maths);

/** Draws what there is time for; whether that was all. */
export function drawMathsAtOnce(prose: Element, most = AT_ONCE_MS): boolean {
  const until = performance.now() + most;
  for (const place of undrawn(prose)) {
    if (performance.now() > until) return false;
    draw(place);
  }
  return true;
}

/** Draws all of it, with pauses. */
export async function drawMaths(prose: Element): Promise<void> {
  while (!drawMathsAtOnce(prose)) await new Promise((resolve) => setTimeout(resolve));
}

function draw(place: HTMLElement): void {
  const code = place.querySelector('code');
  const source = code?.textContent ?? '';
  const isBlock = place.classList.contains('maths-block');
  const isFence = code?.parentElement?.tagName === 'PRE';
  const tex = isFence ? source : source.replace(/^\${1,2}|\${1,2}$/g, '');
  const made = mathsToMathML(tex, isBlock);
  place.dataset.maths = 'error' in made ? 'source' : 'drawn';
  if ('mathml' in made) place.replaceChildren(made.mathml);
  else code?.setAttribute('title', `This cannot be drawn as maths: ${made.error}`);
}

type Maths = { mathml: DocumentFragment } | { error: string };

/** Longer maths is shown as it is written. */
const MAX_MATHS = 5_000;
/** Macros are expanded at most so often, and nothing is larger than so many em. */
const MAX_EXPAND = 500;
const MAX_SIZE = 20;
/** Longer MathML, or deeper one, is not drawn. */
const MAX_MATHML = 200_000;
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
    if (html.length > MAX_MATHML) return { error: 'it becomes too large' };
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
