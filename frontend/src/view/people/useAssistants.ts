/** The running requests to the assistant. */
import { useMemo } from 'react';
import { type ActiveAssistant, activeAssistants } from '../../model/assistant/presence';
import { useLive } from '../context/EditorContext';

export function useAssistants(): ActiveAssistant[] {
  const runs = useLive((live) => live.runs);
  const me = useLive((live) => live.me?.id);
  return useMemo(() => activeAssistants(runs, me), [runs, me]);
}
