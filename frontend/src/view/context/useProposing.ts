/** Sends operations as a proposal. Sent again after an answer that never came, it is the same one. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Suggestion, suggest } from '../../protocol/assistant';
import { useEditorContext } from './EditorContext';

export function useProposing(onProposed: (proposal: string) => void) {
  const { id } = useEditorContext();
  const [sent, setSent] = useState({ words: '', id: '' });
  return useMutation({
    mutationFn: (wanted: Omit<Suggestion, 'id'>) => {
      const words = JSON.stringify(wanted);
      const request = sent.words === words ? sent : { words, id: crypto.randomUUID() };
      setSent(request);
      return suggest(id, { ...wanted, id: request.id });
    },
    onSuccess: (proposal) => onProposed(proposal.id),
  });
}
