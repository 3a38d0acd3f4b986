/** Hooks for the assistant of the open workspace. */
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { Rating } from '../../protocol/types';
import { type AssistantSnapshot, AssistantStore, type RunOptions } from '../../sync/assistant/assistant';
import { type Draft, DraftStore } from '../../sync/assistant/draft';
import type { LiveClient } from '../../sync/client/client';
import { type EditorContext, useEditorContext } from '../context/EditorContext';
import { useToasts } from '../ui/overlay/Toasts';
import { scrollToCard } from './scrollToCard';

export interface Tools {
  store: AssistantStore;
  draftStore: DraftStore;
}

const tools = new WeakMap<LiveClient, Tools>();

/** One for each live client, made on first use. */
function toolsOf({ client, id }: EditorContext): Tools {
  let found = tools.get(client);
  if (!found) {
    found = { store: new AssistantStore(client, id), draftStore: new DraftStore(id) };
    tools.set(client, found);
  }
  return found;
}

export const useAssistantTools = (): Tools => toolsOf(useEditorContext());

/** A selected part of the state; rerenders only when that part changes. */
export function useAssistantPart<T>(part: (facts: AssistantSnapshot) => T): T {
  return useStore(useAssistantTools().store.state, part);
}

export function useDraft<T>(part: (draft: Draft) => T): T {
  return useStore(useAssistantTools().draftStore.state, part);
}

export interface AssistantActions {
  ask: (prompt: string, asking?: RunOptions) => void;
  /** Returns whether the server has accepted it; if not, a message is shown. */
  stop: (run: string) => Promise<boolean>;
  /** Says whether a call of a plugin may be made; returns whether the server has taken it, else a message is shown. */
  answer: (run: string, approval: string, isAllowed: boolean) => Promise<boolean>;
  /** Puts a request into the field again, for editing. */
  edit: (prompt: string) => void;
  /** Sends the same request again. */
  again: (run: string) => void;
  /** Sends the same request as one whose model writes diagram or document anew as a whole. */
  writeAnew: (run: string) => void;
  /** Rates a request; null takes it back. */
  rate: (run: string, rating: Rating | null) => void;
  /** Opens the panel and focuses that card. */
  openProposal: (run: string) => void;
}

/** The actions; the same object as long as the workspace is open. */
export function useAssistantActions(): AssistantActions {
  const context = useEditorContext();
  const toasts = useToasts();
  const { store, draftStore } = toolsOf(context);
  const { ui } = context;
  return useMemo(() => {
    const reportFailure = (promise: Promise<unknown>) => void promise.catch(toasts.showError);
    const taken = (promise: Promise<unknown>) =>
      promise.then(
        () => true,
        (error: unknown) => {
          toasts.showError(error);
          return false;
        },
      );
    const sent = (promise: Promise<string | null>) =>
      reportFailure(promise.then((words) => words !== null && draftStore.accepted(words)));
    return {
      ask: (prompt, asking) => sent(store.ask(prompt, asking)),
      stop: (run) => taken(store.stop(run)),
      answer: (run, approval, isAllowed) => taken(store.answer(run, approval, isAllowed)),
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
      writeAnew: (run) => sent(store.writeAnew(run)),
      rate: (run, rating) => reportFailure(store.rate(run, rating)),
      openProposal: (run) => {
        ui.setPanel('assistant');
        scrollToCard(store, run);
      },
    };
  }, [store, draftStore, ui, toasts]);
}

/** Everything at once; the hooks above rerender less often. */
export function useAssistant(): AssistantActions & Pick<AssistantSnapshot, 'turns' | 'assistant'> {
  const actions = useAssistantActions();
  const turns = useAssistantPart((facts) => facts.turns);
  const assistant = useAssistantPart((facts) => facts.assistant);
  return useMemo(() => ({ ...actions, turns, assistant }), [actions, turns, assistant]);
}
