/** Creates a workspace from a description: the assistant drafts diagram and document at once. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useContext } from 'react';
import { useLocation } from 'wouter';
import { nameFrom } from '../../model/assistant/description';
import { isModel } from '../../model/assistant/provider';
import { createWorkspace } from '../../protocol/api';
import { readAssistant, startRun } from '../../protocol/assistant';
import { recallApplyMode, rememberPanel } from '../../sync/preferences';
import { OpenFolder } from './folders';

/** Whether a model is available. */
export function useCanDescribe(): boolean {
  const assistant = useQuery({
    queryKey: ['assistant'],
    queryFn: ({ signal }) => readAssistant(signal),
    staleTime: 60_000,
  }).data;
  return assistant !== undefined && isModel(assistant) && assistant.workflows.includes('generate');
}

interface Described {
  description: string;
  /** Default: made of the description. */
  name?: string;
}

export function useDescribing() {
  const [, navigate] = useLocation();
  const folder = useContext(OpenFolder);
  return useMutation({
    mutationFn: async ({ description, name }: Described): Promise<string> => {
      const prompt = description.trim();
      // Without a template: the headings of a blank one would count as content.
      const body = { name: name || nameFrom(prompt), ...(folder !== null && { folder }) };
      const { id } = await createWorkspace(body);
      // A refusal is shown in the assistant's panel, where the request can be sent again.
      const begun = startRun(id, { prompt, workflow: 'generate', mode: recallApplyMode() });
      await begun.catch(() => leaveInField(id, prompt));
      return id;
    },
    onSuccess: (id) => {
      rememberPanel('assistant');
      navigate(`/w/${id}`);
    },
  });
}

/** The storage key of an unsent draft (`sync/assistant/draft.ts`). */
function leaveInField(workspace: string, text: string): void {
  try {
    sessionStorage.setItem(`draftsmith.draft.${workspace}`, text);
  } catch {
    // Where nothing can be stored it has to be written once more.
  }
}
