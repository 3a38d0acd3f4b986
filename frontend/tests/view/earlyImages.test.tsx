// @vitest-environment jsdom
/** Files that are pasted into the text or dropped on it before the part of the page that inserts images is loaded. */
import { File } from 'node:buffer';
import { EditorView } from '@codemirror/view';
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type MadeFile, png, sha256 } from '../../e2e/imageFiles';
import { imageAddress, imageMarkdown } from '../../src/model/text/images';
import { DocumentPane } from '../../src/view/document/DocumentPane';
import { FailureBoundary } from '../../src/view/ui/failure/FailureBoundary';
import { content, state, welcome } from '../sync/messages';
import { OpenWorkspace } from './openWorkspace';
import { eventually, every, says } from './operate';

const TEXT = 'First line.\n\nLast line.\n';
const ONE = png('One.png', 9, 9);
const TWO = png('Two.png', 8, 8);
const OTHER = { name: 'notes.pdf', type: 'application/pdf', bytes: Buffer.from('%PDF-1.7') };

/** How each try to load the part ends; until then it goes on. */
const part = vi.hoisted(() => ({ answers: [] as ((isThere: boolean) => void)[] }));

vi.mock('../../src/view/images/DocumentImages', async (original) => {
  const isThere = await new Promise<boolean>((resolve) => part.answers.push(resolve));
  if (isThere) return original();
  throw new Error('Failed to fetch dynamically imported module');
});

class Unseen {
  observe() {}
  unobserve() {}
  disconnect() {}
}

class Drawn {
  naturalWidth = 9;
  naturalHeight = 9;
  async decode() {}
}

let open: OpenWorkspace;

const editor = () =>
  EditorView.findFromDOM(document.querySelector('.cm-editor') as HTMLElement) as EditorView;
const text = () => editor().state.doc.toString();
const markdown = (file: MadeFile, alt: string) =>
  imageMarkdown(alt, imageAddress(sha256(file), file.type as 'image/png'));

async function bring(kind: 'drop' | 'paste', at: number, ...files: MadeFile[]): Promise<void> {
  const data = {
    types: ['Files'],
    files: files.map(({ name, type, bytes }) => new File([new Uint8Array(bytes)], name, { type })),
    getData: () => '',
  };
  const event = new MouseEvent(kind, { bubbles: true, cancelable: true });
  Object.assign(event, { [kind === 'drop' ? 'dataTransfer' : 'clipboardData']: data });
  if (kind === 'drop') vi.spyOn(editor(), 'posAtCoords').mockReturnValue(at);
  else editor().dispatch({ selection: { anchor: at } });
  await act(async () => void editor().contentDOM.dispatchEvent(event));
  expect(event.defaultPrevented).toBe(true);
}

beforeEach(async () => {
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ items: [] })));
  vi.stubGlobal('ResizeObserver', Unseen);
  vi.stubGlobal('IntersectionObserver', Unseen);
  // jsdom draws no images, and lays nothing out.
  const ofThisPage = { createObjectURL: () => 'blob:of-this-page', revokeObjectURL() {} };
  vi.stubGlobal('URL', Object.assign(class extends URL {}, ofThisPage));
  vi.stubGlobal('Image', Drawn);
  vi.stubGlobal(
    'XMLHttpRequest',
    class {
      upload = {};
      setRequestHeader() {}
      open() {}
      send() {}
    },
  );
  Object.assign(Range.prototype, { getClientRects: () => [] });
  open = await OpenWorkspace.with(welcome(), state(1, content(TEXT)));
  document.body.append(open.page);
  await act(async () => open.context.ui.set({ mode: 'document', half: 'write' }));
  await open.draw(
    <FailureBoundary>
      <DocumentPane />
    </FailureBoundary>,
  );
  await eventually(() => expect(every('.cm-line')).not.toEqual([]));
  await eventually(() => expect(part.answers).toHaveLength(1));
});

afterEach(async () => {
  open.page.remove();
  await open.close();
  vi.restoreAllMocks();
  Reflect.deleteProperty(Range.prototype, 'getClientRects');
});

// First, since the part stays loaded once it is there.
test('they are said not to be inserted where it cannot be loaded', async () => {
  const later = setTimeout;
  vi.spyOn(console, 'error').mockReturnValue();
  vi.stubGlobal('setTimeout', (run: () => void, ms = 0) => later(run, ms === 5000 ? 0 : ms));
  await bring('paste', 0, ONE);
  for (let tries = 0; tries < 12; tries += 1) {
    expect(every('.toast')).toEqual([]);
    await eventually(() => expect(part.answers).toHaveLength(1));
    await act(async () => part.answers.pop()?.(false));
  }
  await eventually(() => expect(every('.notice.alert')).toHaveLength(1));
  await says('The file was not insertedA part of this page could not be loaded', '.toast');
});

test('they are inserted once it is there, at their places, which moved with the text', async () => {
  await bring('paste', TEXT.indexOf('\n'), ONE);
  await bring('drop', TEXT.indexOf('Last'), TWO, OTHER);
  expect(text()).toBe(TEXT);
  await act(async () => editor().dispatch({ changes: { from: 0, insert: 'Here: ' }, userEvent: 'input' }));
  await act(async () => part.answers.pop()?.(true));
  await eventually(() =>
    expect(text()).toBe(`Here: First line.${markdown(ONE, 'One')}\n\n${markdown(TWO, 'Two')}Last line.\n`),
  );
  await says('The file was not insertednotes.pdf is none of the images that can be shown', '.toast');
  await says('Uploading 2 images…', '.image-uploads');
});
