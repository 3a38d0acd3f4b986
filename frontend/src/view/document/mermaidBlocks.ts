/** Replaces Mermaid blocks by drawings; on failure the source stays, with the reason. */
import { describeMermaid, mermaidReason } from '../../model/text/mermaidSource';
import { type Drawing, drawingOf } from '../prose/mermaidFrame';

/** As many are drawn at once. */
const MAX_DRAWN = 100;

/** Draws every block that was not drawn for this theme yet. */
export function drawBlocks(prose: Element, isDark: boolean): void {
  const theme = isDark ? 'dark' : 'light';
  for (const [index, block] of prose.querySelectorAll<HTMLElement>('.mermaid-block').entries()) {
    if (block.dataset.theme === theme) continue;
    block.dataset.theme = theme;
    const source = block.querySelector('code')?.textContent ?? '';
    if (index >= MAX_DRAWN) {
      show(block, source, { error: `there are more than ${MAX_DRAWN} here`, isTooMuch: true });
      continue;
    }
    void drawingOf(source, isDark).then((drawing) => {
      if (block.isConnected && block.dataset.theme === theme) show(block, source, drawing);
    });
  }
}

function show(block: HTMLElement, source: string, drawing: Drawing): void {
  block.querySelector('.mermaid-image, .mermaid-error')?.remove();
  const code = block.querySelector('pre');
  if (!code) return;
  if ('error' in drawing) {
    const reason = document.createElement('p');
    reason.className = 'mermaid-error';
    const advice = drawing.isTooMuch ? 'Its source is below.' : 'Correct its source below.';
    reason.textContent = `This Mermaid diagram cannot be drawn: ${mermaidReason(drawing.error)}. ${advice}`;
    const folded = code.closest('details');
    if (folded) folded.replaceWith(code);
    block.prepend(reason);
    return;
  }
  block.prepend(imageOf(drawing, describeMermaid(source)));
  if (!code.closest('details')) code.replaceWith(folded(code));
}

function imageOf({ address, width, height }: Exclude<Drawing, { error: string }>, words: string) {
  const image = document.createElement('img');
  image.className = 'mermaid-image';
  image.alt = words;
  image.width = width;
  image.height = height;
  image.src = address;
  return image;
}

/** The source, folded below the picture. */
function folded(code: HTMLElement): HTMLElement {
  const details = document.createElement('details');
  details.className = 'mermaid-source';
  const summary = document.createElement('summary');
  summary.textContent = 'Source';
  details.append(summary, code.cloneNode(true));
  return details;
}
