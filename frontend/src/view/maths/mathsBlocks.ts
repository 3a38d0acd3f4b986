/** Draws the maths of a rendered document, a few at a time; where that fails, its source says why. */
import { mathsToMathML } from './mathml';

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
