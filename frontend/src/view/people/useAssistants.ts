/** The running requests to the assistant, and the progress of one of them. */
import { useEffect, useMemo, useState } from 'react';
import { type ActiveAssistant, activeAssistants } from '../../model/assistant/presence';
import { NO_PROGRESS, withEvent } from '../../model/assistant/runProgress';
import { useEditorContext, useLive } from '../context/EditorContext';

export function useAssistants(): ActiveAssistant[] {
  const runs = useLive((live) => live.runs);
  const me = useLive((live) => live.me?.id);
  return useMemo(() => activeAssistants(runs, me), [runs, me]);
}

/** The number of prepared changes of a run; watched while mounted. */
export function usePrepared(run: string): number {
  const { client } = useEditorContext();
  const [count, setCount] = useState(0);
  useEffect(() => {
    let progress = NO_PROGRESS;
    return client.watchRun(run, '0', (_id, event) => {
      progress = withEvent(progress, event);
      setCount(progress.operations.length);
    });
  }, [client, run]);
  return count;
}
