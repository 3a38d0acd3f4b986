/** How what is being typed may go on, asked of the server in pauses of typing; none where a model is asked. */
import { useEffect, useState } from 'react';
import { listCompletions } from '../../protocol/assistant';
import type { Completion } from '../../protocol/types';

const PAUSE_MS = 120;

interface Request {
  workspace: string;
  text: string;
  isAsking: boolean;
  isWanted: boolean;
}

/** Those for the newest text that was answered; empty while there is nothing to offer. */
export function useCompletions({ workspace, text, isAsking, isWanted }: Request): readonly Completion[] {
  const [found, setFound] = useState<readonly Completion[]>([]);
  useEffect(() => {
    if (!isWanted || text.trim() === '') {
      setFound([]);
      return;
    }
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      listCompletions(workspace, text, isAsking, leaving.signal).then(setFound, () => {
        // They are a convenience: without them one types on.
        if (!leaving.signal.aborted) setFound([]);
      });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [workspace, text, isAsking, isWanted]);
  return found;
}

/** How a command may begin; read once for each kind. */
export function useSuggestions({
  workspace,
  isAsking,
  isWanted,
}: Omit<Request, 'text'>): readonly Completion[] {
  const [found, setFound] = useState<readonly Completion[]>([]);
  useEffect(() => {
    if (!isWanted) return setFound([]);
    const leaving = new AbortController();
    listCompletions(workspace, '', isAsking, leaving.signal).then(setFound, () => undefined);
    return () => leaving.abort();
  }, [workspace, isAsking, isWanted]);
  return found;
}
