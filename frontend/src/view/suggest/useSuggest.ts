/** Sends a suggestion. Sent again after an answer that never came, it is the same one. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Suggestion, suggest } from '../../protocol/assistant';
import { useAssistantActions } from '../assistant/useAssistant';
import { useEditorContext } from '../context/EditorContext';
import { useToasts } from '../ui/Toasts';

export function useSuggest(onDone: () => void) {
  const { id } = useEditorContext();
  const toasts = useToasts();
  const { openProposal } = useAssistantActions();
  const [sent, setSent] = useState({ words: '', id: '' });
  return useMutation({
    mutationFn: (wanted: Omit<Suggestion, 'id'>) => {
      const words = JSON.stringify(wanted);
      const request = sent.words === words ? sent : { words, id: crypto.randomUUID() };
      setSent(request);
      return suggest(id, { ...wanted, id: request.id });
    },
    onSuccess: (proposal) => {
      onDone();
      toasts.show({
        text: 'Proposed',
        detail: 'Somebody who may edit accepts or discards it.',
        action: { label: 'Show', run: () => openProposal(proposal.id) },
      });
    },
  });
}
