// @vitest-environment jsdom
/** A card of the assistant shows what it speaks of in the newest state, whatever is shown meanwhile. */
import { useQueryClient } from '@tanstack/react-query';
import { act } from 'react';
import { afterEach, expect, it } from 'vitest';
import type { Diff } from '../../src/protocol/types';
import { type Reveal, useReveal } from '../../src/view/assistant/cards/useReveal';
import { type EditorContext, useEditorContext } from '../../src/view/context/EditorContext';
import { content, state, welcome } from '../sync/messages';
import { OpenWorkspace } from './openWorkspace';

const SAME = { added: [], changed: [], removed: [] };
const DIFF = {
  nodes: SAME,
  edges: SAME,
  document: [{ section: '', from_line: 1, old: '', new: 'Second line' }],
  workspace: {},
} as unknown as Diff;

let open: OpenWorkspace;
afterEach(() => open.close());

it('leaves an old revision to show a commit that changed the document alone', async () => {
  let context = null as EditorContext | null;
  let reveal = null as Reveal | null;
  function Card() {
    context = useEditorContext();
    reveal = useReveal();
    useQueryClient().setQueryData(['commit', 'w', 2], { diff: DIFF });
    return null;
  }
  open = await OpenWorkspace.with(welcome(), state(2, { ...content(), text: 'First line\n\nSecond line\n' }));
  await open.draw(<Card />);
  await act(async () => context?.ui.set({ viewed: { revision: 1, against: null } }));
  await act(async () => reveal?.showCommit(2));
  expect(context?.ui.get().revealText).toMatchObject({ from: 12, to: 23 });
  expect(context?.ui.get().viewed).toBeNull();
});
