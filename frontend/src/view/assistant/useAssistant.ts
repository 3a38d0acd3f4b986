/** The assistant of the workspace that is open, for everything in the page that shows it or asks it. */
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { type Asking, type AssistantFacts, AssistantStore } from '../../sync/assistant/assistant';
import { type Composed, Composing } from '../../sync/assistant/draft';
import type { LiveClient } from '../../sync/client/client';
import { type EditorContext, useEditorContext } from '../context/EditorContext';
import { useToasts } from '../ui/Toasts';
import { pointOut } from './pointing';

export interface Tools {
  store: AssistantStore;
  composing: Composing;
}

const tools = new WeakMap<LiveClient, Tools>();

/** One for each live client, begun when somebody first asks for it. */
function toolsOf({ client, id }: EditorContext): Tools {
  let found = tools.get(client);
  if (!found) {
    found = { store: new AssistantStore(client, id), composing: new Composing(id) };
    tools.set(client, found);
  }
  return found;
}

export const useAssistantTools = (): Tools => toolsOf(useEditorContext());

/** A part of what is known; drawn anew only when that part is another one. */
export function useAssistantPart<T>(part: (facts: AssistantFacts) => T): T {
  return useStore(useAssistantTools().store.state, part);
}

export function useComposed<T>(part: (composed: Composed) => T): T {
  return useStore(useAssistantTools().composing.state, part);
}

export interface AssistantActions {
  ask: (prompt: string, asking?: Asking) => void;
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
  const { store, composing } = toolsOf(context);
  const { ui } = context;
  return useMemo(() => {
    const said = (promise: Promise<unknown>) => void promise.catch(toasts.showError);
    const sent = (promise: Promise<string | null>) =>
      said(promise.then((words) => words !== null && composing.taken(words)));
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
        const before = composing.put(prompt);
        if (before)
          toasts.show({
            text: 'What you had begun to write was replaced',
            action: { label: 'Bring it back', run: () => composing.write(before) },
          });
      },
      again: (run) => sent(store.again(run)),
      openProposal: (run) => {
        ui.setPanel('assistant');
        pointOut(store, run);
      },
    };
  }, [store, composing, ui, toasts]);
}

/** Everything at once; for a part of it alone, the hooks above draw less often. */
export function useAssistant(): AssistantActions & Pick<AssistantFacts, 'turns' | 'assistant'> {
  const actions = useAssistantActions();
  const turns = useAssistantPart((facts) => facts.turns);
  const assistant = useAssistantPart((facts) => facts.assistant);
  return useMemo(() => ({ ...actions, turns, assistant }), [actions, turns, assistant]);
}
