// @vitest-environment jsdom
/** The dialog of exports: what is offered is what is chosen. */
import { act } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ExportDialog } from '../../src/view/export/ExportDialog';
import { content, state, welcome } from '../sync/messages';
import { OpenWorkspace } from './openWorkspace';
import { allowDialogs, eventually, every, found, says } from './operate';

const TEXT = '# Plan\n';
let open: OpenWorkspace;

beforeEach(async () => {
  allowDialogs();
  open = await OpenWorkspace.with(welcome(), state(1, content(TEXT)));
  document.body.append(open.page);
  await open.draw(<ExportDialog onClose={() => {}} />);
});

afterEach(async () => {
  open.page.remove();
  await open.close();
});

const choice = (name: string) =>
  every('label')
    .find(({ textContent }) => textContent === name)
    ?.querySelector('input');
const download = () => found('button', 'Download') as Promise<HTMLButtonElement>;
const preview = () => document.querySelector('.export-preview')?.textContent;

it('offers no file of what was chosen before, not even in the moment of another choice', async () => {
  const button = await download();
  await act(async () => choice('Document')?.click());
  await eventually(() => expect(button.disabled).toBe(false));
  expect(preview()).toBe(TEXT);
  // As in a browser, where what follows from a choice may come in a task of its own.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  choice('Whole diagram')?.click();
  expect(choice('Whole diagram')?.checked).toBe(true);
  expect(preview()).toBe('Drawing…');
  expect(button.disabled).toBe(true);
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  await says('The diagram is empty. Add a node first.', '.export-preview');
});
