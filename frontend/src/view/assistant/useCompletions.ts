/** Completions of the typed text, fetched from the server while typing pauses; none with a model. */
import { useEffect, useState } from 'react';
import { listCompletions } from '../../protocol/assistant';
import type { Completion } from '../../protocol/types';

const PAUSE_MS = 120;
/** The server takes no longer texts; nobody types a command so long. */
const MAX_LENGTH = 2_000;

interface Request {
  workspace: string;
  text: string;
  isAsking: boolean;
  isWanted: boolean;
}

/** The completions of the newest answered text; empty while there is nothing to offer. */
export function useCompletions({ workspace, text, isAsking, isWanted }: Request): readonly Completion[] {
  const [found, setFound] = useState<readonly Completion[]>([]);
  useEffect(() => {
    if (!isWanted || text.trim() === '' || text.length > MAX_LENGTH) {
      setFound([]);
      return;
    }
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      listCompletions(workspace, text, isAsking, leaving.signal).then(setFound, () => {
        // Completions are optional: without them one types on.
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

/** First words of commands; fetched once for each workflow. */
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
