/** Commands of the assistant. The key of its panel is registered before this is loaded (`WorkspaceCommands`). */
import {
  Eraser,
  KeyRound,
  ListChecks,
  MessageCircleQuestion,
  PenLine,
  SearchCheck,
  Square,
} from 'lucide-react';
import { useState } from 'react';
import { canConnect, providerSummary } from '../../model/assistant/provider';
import type { DraftWorkflow } from '../../sync/assistant/draft';
import { useCommands, useEditorContext } from '../context/EditorContext';
import { ClearDialog } from './AssistantMenu';
import { useAssistantActions, useAssistantTools } from './useAssistant';

export function AssistantCommands() {
  const { ui } = useEditorContext();
  const { store, draftStore } = useAssistantTools();
  const { stop } = useAssistantActions();
  const [isClearing, setIsClearing] = useState(false);
  const open = (workflow: DraftWorkflow) => {
    draftStore.setWorkflow(workflow);
    ui.set({ isAsking: true });
    ui.setPanel('assistant');
  };
  const isThere = () => {
    const { assistant, isOn } = store.state.getState();
    return assistant !== null && providerSummary(assistant, isOn).kind !== 'off';
  };
  useCommands([
    {
      id: 'assistant.edit',
      title: 'Ask for a change',
      group: 'Assistant',
      icon: PenLine,
      words: 'assistant ai model prompt edit command generate',
      isEnabled: isThere,
      run: () => open('edit'),
    },
    {
      id: 'assistant.ask',
      title: 'Ask a question',
      group: 'Assistant',
      icon: MessageCircleQuestion,
      words: 'assistant ai model explain what breaks impact',
      isEnabled: isThere,
      run: () => open('ask'),
    },
    {
      id: 'assistant.investigate',
      title: 'Find the causes of a problem',
      group: 'Assistant',
      icon: SearchCheck,
      words: 'assistant ai model investigate symptom why root cause debug',
      isEnabled: isThere,
      run: () => open('investigate'),
    },
    {
      id: 'assistant.recommend',
      title: 'Ask for a recommendation',
      group: 'Assistant',
      icon: ListChecks,
      words: 'assistant ai model alternatives options trade-offs pattern architecture',
      isEnabled: isThere,
      run: () => open('recommend'),
    },
    {
      id: 'assistant.stop',
      title: 'Stop the assistant',
      group: 'Assistant',
      icon: Square,
      words: 'cancel request',
      isEnabled: () => store.editing !== undefined,
      run: () => void (store.editing && stop(store.editing.run)),
    },
    {
      id: 'assistant.connect',
      title: 'Connect a model',
      group: 'Assistant',
      icon: KeyRound,
      words: 'api key anthropic claude ai',
      isEnabled: () => {
        const { assistant } = store.state.getState();
        return assistant !== null && canConnect(assistant);
      },
      run: () => ui.set({ dialog: { kind: 'connect-model' } }),
    },
    {
      id: 'assistant.clear',
      title: 'Clear the conversation with the assistant',
      group: 'Assistant',
      icon: Eraser,
      words: 'forget delete',
      isEnabled: () => store.state.getState().turns.length > 0,
      run: () => setIsClearing(true),
    },
  ]);
  return isClearing ? <ClearDialog onClose={() => setIsClearing(false)} /> : null;
}
