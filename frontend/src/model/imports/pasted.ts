/**
 * Text on a clipboard that is a file of another tool, or what one copies. Pure. Not here: Mermaid, which is drawn at once
 * (`model/text/mermaidSource`), and what the text says, which the server reads.
 */

/** A text as a file that is imported; by its name the server knows what to look for in it. */
export interface PastedFile {
  name: string;
  text: string;
}

/** Of the beginning of a text, in which JSON says what it is. */
const LOOKED_AT = 4_096;
const COMMENTS = /^(?:\s+|(?:\/\/|#)[^\n]*|\/\*[\s\S]*?\*\/)*/;

const DRAWING = /^(?:<\?xml[^>]*>\s*)?<(?:mxfile|mxGraphModel)\b/;
const COPIED_DRAWING = /^%3C(?:mxfile|mxGraphModel)/i;
const SCENE = /^\{[\s\S]*"type"\s*:\s*"excalidraw(?:\/clipboard)?"/;
const EXPORT = /^\{[\s\S]*"format"\s*:\s*"draftsmith\/1"/;
const GRAPH = /^(?:strict\s+)?(?:di)?graph(?:\s+(?:"[^"\n]*"|[\w.]+))?\s*\{/i;
const WORKSPACE = /^workspace\b[^{\n]*\{/;
const COMPOSE = /^services:[ \t]*\r?\n[ \t]+[\w.-]+:/m;
const API_VERSION = /^apiVersion:[ \t]*\S/m;
const KIND = /^kind:[ \t]*\S/m;

/** The text as a file, where it plainly is one of another tool; null for other texts. */
export function pastedFile(text: string): PastedFile | null {
  const clean = drawingOf(text.replace(/^\uFEFF/, '').trim());
  const name = nameOf(clean, clean.replace(COMMENTS, ''));
  return name === null ? null : { name, text: clean };
}

/** draw.io copies shapes as XML that is encoded as in an address. */
function drawingOf(text: string): string {
  if (!COPIED_DRAWING.test(text)) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function nameOf(text: string, statements: string): string | null {
  if (DRAWING.test(text)) return 'Pasted.drawio';
  const head = text.slice(0, LOOKED_AT);
  if (SCENE.test(head)) return 'Pasted.excalidraw';
  if (EXPORT.test(head)) return 'Pasted.json';
  if (GRAPH.test(statements)) return 'Pasted.dot';
  if (WORKSPACE.test(statements)) return 'Pasted.dsl';
  if (COMPOSE.test(text)) return 'compose.yaml';
  return API_VERSION.test(text) && KIND.test(text) ? 'Pasted.yaml' : null;
}
