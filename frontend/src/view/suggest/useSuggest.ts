/** Sends a suggestion, with a toast once it was sent. */
import { useAssistantActions } from '../assistant/useAssistant';
import { useProposing } from '../context/useProposing';
import { useToasts } from '../ui/overlay/Toasts';

export function useSuggest(onDone: () => void) {
  const toasts = useToasts();
  const { openProposal } = useAssistantActions();
  return useProposing((proposal) => {
    onDone();
    toasts.show({
      text: 'Proposed',
      detail: 'Somebody who may edit accepts or discards it.',
      action: { label: 'Show', run: () => openProposal(proposal) },
    });
  });
}
