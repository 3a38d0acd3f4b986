// @vitest-environment jsdom
/** What becomes of an import is said by an element that was there before: one that comes with its text is passed over. */
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ImportStatus } from '../../src/view/imports/ImportStatus';

let root: Root;
const page = document.createElement('div');
const region = () => page.querySelector('[role="status"]');

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  root = createRoot(page);
});

afterEach(async () => {
  await act(async () => root.unmount());
  vi.unstubAllGlobals();
});

it('comes empty, and stays the same while what it says changes', async () => {
  expect(renderToString(<ImportStatus text="Reading…" isBusy />)).toMatch(/role="status"[^>]*><\/p>/);
  await act(async () => root.render(<ImportStatus text="Reading…" isBusy />));
  const first = region();
  expect(first?.textContent).toBe(' Reading…');
  await act(async () => root.render(<ImportStatus text="2 new" className="import-note" />));
  expect(region()).toBe(first);
  expect(first?.textContent).toBe('2 new');
  expect(first?.className).toBe('import-note');
  await act(async () => root.render(<ImportStatus text="" />));
  expect(region()).toBe(first);
  expect(first?.className).toBe('visually-hidden');
});
