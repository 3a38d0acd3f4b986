/** Makes the content of an exported file in each format. Not here: the choices (`choices.ts`), saving (`output.ts`). */
import { pageOf } from '../../model/export/page';
import type { Picture } from '../../model/export/svg';
import { counted } from '../../model/words/kinds';
import { exportAddress } from '../../protocol/api';
import type { LiveStore } from '../../sync/editor/snapshot';
import { FORMAT_FACTS, type Source } from './choices';
import { drawSync } from './draw';
import { drawingFor, pictureOf } from './picture';
import { proseHtml } from './prose';

/** How long to wait until the last changes are saved. */
const SAVED_WITHIN_MS = 15_000;

/** A page with the document, and optionally the diagram if it is not empty. */
export async function pageFor(source: Source, hasDiagram: boolean, signal: AbortSignal): Promise<Blob> {
  const { workspace, diagram, text, name, revision, isUnsaved } = source;
  const picture = hasDiagram ? await adaptable(source, signal) : null;
  const nodes = new Set(picture ? diagram.nodes.map(({ id }) => id) : []);
  const now = new Date();
  const page = pageOf({
    name,
    revision,
    isUnsaved,
    date: { words: now.toLocaleDateString('en', { dateStyle: 'long' }), iso: now.toISOString() },
    picture,
    facts: `${counted(diagram.nodes.length, 'node')}, ${counted(diagram.edges.length, 'connection')}`,
    prose: text.trim() ? await proseHtml(text, nodes, workspace) : '',
  });
  return new Blob([page], { type: 'text/html;charset=utf-8' });
}

/** With colours as variables, which the page defines. */
async function adaptable({ diagram, name }: Source, signal: AbortSignal): Promise<Picture | null> {
  const drawing = await drawingFor(diagram, null, signal);
  return pictureOf(drawing, name, { theme: 'both', hasAnchors: true });
}

/** A picture without waiting, for printing: on white, with full routing where that is fast. */
export const pictureSync = ({ diagram, name }: Pick<Source, 'diagram' | 'name'>): Picture | null =>
  pictureOf(drawSync(diagram, 10_000), name, { theme: 'light', isTransparent: true });

/** The workspace as JSON, with the images that it names, which may be large. */
export const wholeJson = (workspace: string, live: LiveStore, signal: AbortSignal): Promise<string> =>
  fromServer(workspace, 'json', live, signal, true);

/** A file from the server, once all changes of this page are saved. Throws with a message for the person. */
export async function fromServer(
  workspace: string,
  format: 'mermaid' | 'json',
  live: LiveStore,
  signal: AbortSignal,
  hasImages = false,
): Promise<string> {
  const { name } = FORMAT_FACTS[format];
  if (!(await isSaved(live, signal)))
    throw new Error(
      `${name} is made by the server, which does not have your last changes yet. Try again once they are saved.`,
    );
  const response = await fetch(`${exportAddress(workspace, format)}${hasImages ? '&images=true' : ''}`, {
    cache: 'no-store',
    signal,
  }).catch(() => null);
  signal.throwIfAborted();
  if (!response?.ok)
    throw new Error(`${name} is made by the server, which does not answer. Try again in a moment.`);
  return response.text();
}

const isAllSaved = ({ status }: { status: { saving: string } }): boolean => status.saving === 'saved';

/** Waits until all changes are saved. Returns whether they are. */
function isSaved({ state }: LiveStore, signal: AbortSignal): Promise<boolean> {
  if (isAllSaved(state.getState())) return Promise.resolve(true);
  // Offline this fails at once.
  if (state.getState().status.saving !== 'saving') return Promise.resolve(false);
  return new Promise((resolve) => {
    const end = (answer: boolean) => {
      clearTimeout(timer);
      leave();
      resolve(answer);
    };
    const timer = setTimeout(() => end(false), SAVED_WITHIN_MS);
    const leave = state.subscribe((now) => {
      if (isAllSaved(now)) end(true);
      else if (now.status.saving !== 'saving') end(false);
    });
    signal.addEventListener('abort', () => end(false), { once: true });
  });
}
