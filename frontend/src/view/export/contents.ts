/** Makes the content of an exported file in each format. Not here: the choices (`choices.ts`), saving (`output.ts`). */
import { type PageContent, pageOf } from '../../model/export/page';
import type { Picture } from '../../model/export/svg';
import { imagesIn } from '../../model/text/images';
import { headingsOf } from '../../model/text/markdown';
import { counted } from '../../model/words/kinds';
import { exportAddress } from '../../protocol/api';
import type { LiveStore } from '../../sync/editor/snapshot';
import type { Selection } from '../context/uiState';
import { FORMAT_FACTS, type ServerFormat, type Source } from './choices';
import { drawSync } from './draw';
import { drawingFor, imagesAtOnce, imagesFor, pictureOf } from './picture';
import { drawnProse } from './prose';

/** How long to wait until the last changes are saved. */
const SAVED_WITHIN_MS = 15_000;

/** The images that a workspace refers to, in its document and by its nodes, each once. */
export function imageAddresses({ text, diagram }: Pick<Source, 'text' | 'diagram'>): string[] {
  const inText = imagesIn(text).map(({ address }) => address);
  return [...new Set([...inText, ...diagram.nodes.flatMap(({ image }) => image || [])])];
}

/** A page with the document, and optionally the diagram if it is not empty. */
export async function pageFor(source: Source, hasDiagram: boolean, signal: AbortSignal): Promise<Blob> {
  const { workspace, text } = source;
  const picture = hasDiagram ? await adaptable(source, null, signal) : null;
  const prose = text.trim() ? await drawnProse(text, nodesIn(picture, source), workspace, 'both') : null;
  const page = pageOf({ ...pageContent(source, picture), prose: prose?.innerHTML ?? null });
  return new Blob([page], { type: 'text/html;charset=utf-8' });
}

/** What a page of a state says, whoever puts the document into it. */
export function pageContent(
  { diagram, text, name, revision, isUnsaved }: Source,
  picture: Picture | null,
): Omit<PageContent, 'prose'> {
  const now = new Date();
  return {
    name,
    revision,
    isUnsaved,
    date: { words: now.toLocaleDateString('en', { dateStyle: 'long' }), iso: now.toISOString() },
    picture,
    facts: `${counted(diagram.nodes.length, 'node')}, ${counted(diagram.edges.length, 'connection')}`,
    headings: headingsOf(text),
  };
}

/** Those that links in a page can lead to. */
export const nodesIn = (picture: Picture | null, { diagram }: Source): ReadonlySet<string> =>
  new Set(picture ? diagram.nodes.map(({ id }) => id) : []);

/** How a page shows the diagram: with colours as variables, which it defines. */
const IN_PAGE = { theme: 'both', hasAnchors: true } as const;

export async function adaptable(
  { workspace, diagram, name }: Source,
  selection: Selection | null,
  signal: AbortSignal,
): Promise<Picture | null> {
  const drawing = await drawingFor(diagram, selection, signal);
  return pictureOf(drawing, name, { ...IN_PAGE, ...(await imagesFor(workspace, drawing)) });
}

/** The same without waiting: with full routing where that is fast, with the images and icons that the page has. */
export function pictureSync({ workspace, diagram, name }: Source): Picture | null {
  const drawing = drawSync(diagram, 10_000);
  return pictureOf(drawing, name, { ...IN_PAGE, ...imagesAtOnce(workspace, drawing) });
}

/** The diagram as text, as its pane shows it, of whatever state. */
export async function linesOf({ diagram }: Source): Promise<string> {
  const [{ wholeText }, { typeOfName }] = await Promise.all([
    import('../../model/diagramText/projection'),
    import('../../model/words/typeOfName'),
  ]);
  return wholeText(diagram, typeOfName);
}

/** The workspace as JSON, with the images that it names, which may be large. */
export const wholeJson = (workspace: string, live: LiveStore, signal: AbortSignal): Promise<string> =>
  fromServer(workspace, 'json', live, signal, true);

/** A file from the server, once all changes of this page are saved. Throws with a message for the person. */
export async function fromServer(
  workspace: string,
  format: ServerFormat,
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
