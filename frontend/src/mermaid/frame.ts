/**
 * A page of its own that draws Mermaid diagrams for the page it stands in, one after the other.
 *
 * Mermaid writes styles into the page it draws on, which the editor's security policy forbids; this page's policy allows
 * that and nothing else. Only the finished picture leaves it, as text. Not here: what becomes of the picture.
 */
import mermaid from 'mermaid';
import { withoutHandlers } from '../model/mermaidSource';
import type { DrawingDone, DrawingWanted } from './messages';

const FONT = 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif';

let isDarkNow: boolean | null = null;
let queue: Promise<unknown> = Promise.resolve();

window.addEventListener('message', (event) => {
  const [port] = event.ports;
  if (event.origin !== window.location.origin || event.source !== window.parent || !port) return;
  port.onmessage = ({ data }: MessageEvent<DrawingWanted>) => {
    queue = queue.then(async () => port.postMessage(await drawn(data)));
  };
});

async function drawn({ id, source, isDark }: DrawingWanted): Promise<DrawingDone> {
  prepare(isDark);
  try {
    const { svg } = await mermaid.render(`drawing-${id}`, withoutHandlers(source));
    return { id, ...asPicture(svg) };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}

function prepare(isDark: boolean): void {
  if (isDark === isDarkNow) return;
  isDarkNow = isDark;
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    // A document's own settings cannot loosen these.
    secure: [
      'secure',
      'securityLevel',
      'startOnLoad',
      'maxTextSize',
      'maxEdges',
      'htmlLabels',
      'themeCSS',
      'fontFamily',
    ],
    theme: isDark ? 'dark' : 'neutral',
    // Labels as text, not as HTML, so that the picture is one wherever it is shown.
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    fontFamily: FONT,
  });
}

/** The drawing as a file of its own: well-formed, and with its size written down. */
function asPicture(svg: string): { svg: string; width: number; height: number } {
  const drawing = new DOMParser().parseFromString(svg, 'text/html').querySelector('svg');
  if (!drawing) throw new Error('it gave no picture');
  const { width, height } = drawing.viewBox.baseVal;
  const size = { width: Math.ceil(width || 300), height: Math.ceil(height || 150) };
  drawing.setAttribute('width', String(size.width));
  drawing.setAttribute('height', String(size.height));
  drawing.style.removeProperty('max-width');
  return { svg: new XMLSerializer().serializeToString(drawing), ...size };
}
