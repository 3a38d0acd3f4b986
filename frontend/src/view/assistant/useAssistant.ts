/** The assistant of the workspace that is open, for everything in the page that shows it or asks it. */
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { type AssistantSnapshot, AssistantStore, type RunOptions } from '../../sync/assistant/assistant';
import { type Draft, DraftStore } from '../../sync/assistant/draft';
import type { LiveClient } from '../../sync/client/client';
import { type EditorContext, useEditorContext } from '../context/EditorContext';
import { useToasts } from '../ui/Toasts';
import { scrollToCard } from './scrollToCard';

export interface Tools {
  store: AssistantStore;
  draftStore: DraftStore;
}

const tools = new WeakMap<LiveClient, Tools>();

/** One for each live client, begun when somebody first asks for it. */
function toolsOf({ client, id }: EditorContext): Tools {
  let found = tools.get(client);
  if (!found) {
    found = { store: new AssistantStore(client, id), draftStore: new DraftStore(id) };
    tools.set(client, found);
  }
  return found;
}

export const useAssistantTools = (): Tools => toolsOf(useEditorContext());

/** A part of what is known; drawn anew only when that part is another one. */
export function useAssistantPart<T>(part: (facts: AssistantSnapshot) => T): T {
  return useStore(useAssistantTools().store.state, part);
}

export function useDraft<T>(part: (draft: Draft) => T): T {
  return useStore(useAssistantTools().draftStore.state, part);
}

export interface AssistantActions {
  ask: (prompt: string, asking?: RunOptions) => void;
  /** Whether the server has taken it; if not, that is said. */
  stop: (run: string) => Promise<boolean>;
  /** Put a request into the field once more, to be changed. */
  edit: (prompt: string) => void;
  /** Ask the same once more. */
  again: (run: string) => void;
  /** Open the panel with that card in sight and in focus. */
  openProposal: (run: string) => void;
}

/** What can be done; the same object as long as the workspace is. */
export function useAssistantActions(): AssistantActions {
  const context = useEditorContext();
  const toasts = useToasts();
  const { store, draftStore } = toolsOf(context);
  const { ui } = context;
  return useMemo(() => {
    const said = (promise: Promise<unknown>) => void promise.catch(toasts.showError);
    const sent = (promise: Promise<string | null>) =>
      said(promise.then((words) => words !== null && draftStore.accepted(words)));
    return {
      ask: (prompt, asking) => sent(store.ask(prompt, asking)),
      stop: (run) =>
        store.stop(run).then(
          () => true,
          (error: unknown) => {
            toasts.showError(error);
            return false;
          },
        ),
      edit: (prompt) => {
        ui.setPanel('assistant');
        ui.set({ isAsking: true });
        const before = draftStore.put(prompt);
        if (before)
          toasts.show({
            text: 'What you had begun to write was replaced',
            action: { label: 'Bring it back', run: () => draftStore.write(before) },
          });
      },
      again: (run) => sent(store.again(run)),
      openProposal: (run) => {
        ui.setPanel('assistant');
        scrollToCard(store, run);
      },
    };
  }, [store, draftStore, ui, toasts]);
}

/** Everything at once; for a part of it alone, the hooks above draw less often. */
export function useAssistant(): AssistantActions & Pick<AssistantSnapshot, 'turns' | 'assistant'> {
  const actions = useAssistantActions();
  const turns = useAssistantPart((facts) => facts.turns);
  const assistant = useAssistantPart((facts) => facts.assistant);
  return useMemo(() => ({ ...actions, turns, assistant }), [actions, turns, assistant]);
}
