// @vitest-environment jsdom
/** What somebody who may only look is told when they try to change something. */
import { act } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { type EditorContext, useEditorContext } from '../../src/view/context/EditorContext';
import { place } from '../../src/view/gestures/actions';
import { type Toasts, useToasts } from '../../src/view/ui/overlay/Toasts';
import { state, welcome } from '../sync/messages';
import { OpenWorkspace } from './openWorkspace';

let open: OpenWorkspace;

afterEach(async () => {
  await open.close();
  vi.restoreAllMocks();
});

it('is told why no node is placed, and nothing is drawn or sent', async () => {
  let context = null as EditorContext | null;
  let toasts = null as Toasts | null;
  function Reader() {
    context = useEditorContext();
    toasts = useToasts();
    return null;
  }
  open = await OpenWorkspace.with(welcome({ role: 'viewer' }), state(1));
  await open.draw(<Reader />);
  const sent = open.sent.length;
  await act(async () => place(context as EditorContext, toasts as Toasts, 'service', { x: 0, y: 0 }));
  expect(open.page.textContent).toContain('Nothing was changed');
  expect(context?.ui.get().making).toBeNull();
  expect(open.sent.length).toBe(sent);
});
