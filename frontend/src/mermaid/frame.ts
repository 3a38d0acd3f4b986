/**
 * A page in a frame that draws Mermaid diagrams for the page around it, one after the other.
 *
 * Mermaid writes styles into the page it draws on, which the editor's security policy forbids; this page's policy
 * allows that and nothing else. Only the finished picture leaves it, as text.
 */
import mermaid from 'mermaid';
import { MAX_EDGES, MAX_SOURCE, withoutHandlers } from '../model/text/mermaidSource';
import type { DrawingDone, DrawingWanted } from './messages';

const FONT = 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif';

// The colours of the page (`view/styles/tokens.css`), which no style sheet brings in here.
const LIGHT = {
  primaryColor: '#eef0ff',
  primaryBorderColor: '#4f46e5',
  primaryTextColor: '#101828',
  secondaryColor: '#f2f4f7',
  tertiaryColor: '#f7f8fa',
  lineColor: '#6f7b8e',
  textColor: '#101828',
  edgeLabelBackground: '#ffffff',
  background: '#ffffff',
};
const DARK = {
  primaryColor: '#22254a',
  primaryBorderColor: '#818cf8',
  primaryTextColor: '#eef1f6',
  secondaryColor: '#1b2028',
  tertiaryColor: '#1b2028',
  lineColor: '#7c889b',
  textColor: '#eef1f6',
  edgeLabelBackground: '#151920',
  background: '#151920',
};

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
    maxTextSize: 2 * MAX_SOURCE,
    maxEdges: MAX_EDGES,
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
    theme: 'base',
    themeVariables: { ...(isDark ? DARK : LIGHT), darkMode: isDark, fontFamily: FONT, fontSize: '14px' },
    // What a line is called is read on the page's colour, not on the line.
    themeCSS: '.edgeLabel rect, .labelBkg { opacity: 1 }',
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
  readEntities(drawing);
  return { svg: new XMLSerializer().serializeToString(drawing), ...size };
}

/**
 * Labels that are text and not HTML leave Mermaid with most entities as they were written, such as `#quot;` as `&quot;`.
 * What is put in their place is text, whatever it says.
 */
function readEntities(drawing: SVGSVGElement): void {
  const texts = document.createTreeWalker(drawing, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    if (!node.nodeValue?.includes('&') || node.parentElement?.tagName === 'style') continue;
    node.nodeValue = node.nodeValue.replace(
      /&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);/gi,
      (entity) => new DOMParser().parseFromString(entity, 'text/html').body.textContent ?? entity,
    );
  }
}
