/** An own image as components show it: where its bytes come from, whether it is drawn, and what is to be said of it. */
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { hashOfImage } from '../../model/text/images';
import type { LocalImage, Uploads } from '../../sync/images/uploads';
import { useEditorContext } from '../context/EditorContext';
import { missingImagesOf } from './missingImages';
import { wordsForImage } from './uploadWords';
import { sourceOf, uploadsOf } from './workspaceImages';

export interface OwnImage {
  /** Null until it is known whether this browser has it. */
  source: string | null;
  isDrawn: boolean;
  /** Empty where nothing is to be said. */
  note: string;
  /** As this browser has it; null where it has not. */
  local: LocalImage | null;
  /** Key of the element, so that what was missing is asked for again. */
  tries: number;
  onLoad: () => void;
  onError: () => void;
}

export function useOwnImage(address: string): OwnImage {
  const { id } = useEditorContext();
  const uploads = uploadsOf(id);
  const sha256 = hashOfImage(address) ?? '';
  const isReady = useIsReady(uploads);
  const subscribe = useCallback((listener: () => void) => uploads.subscribe(listener), [uploads]);
  const source = useSyncExternalStore(subscribe, () => sourceOf(id, address));
  const [seen, setSeen] = useState({ source: '', isDrawn: false });
  const [tries, setTries] = useState(0);
  const isSeen = seen.source === source;
  const isMissing = isSeen && !seen.isDrawn;
  const note = useSyncExternalStore(subscribe, () => wordsForImage(uploads.get(sha256), isMissing));
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try that fails waits anew
  useEffect(
    () => (isMissing ? missingImagesOf(id).wait(sha256, () => setTries((before) => before + 1)) : undefined),
    [id, sha256, isMissing, tries],
  );
  return {
    source: isReady ? source : null,
    isDrawn: isSeen && seen.isDrawn,
    note,
    local: uploads.get(sha256),
    tries,
    onLoad: () => setSeen({ source, isDrawn: true }),
    onError: () => setSeen({ source, isDrawn: false }),
  };
}

function useIsReady(uploads: Uploads): boolean {
  const [ready, setReady] = useState<Uploads | null>(null);
  useEffect(() => {
    let isHere = true;
    void uploads.ready.then(() => isHere && setReady(uploads));
    return () => {
      isHere = false;
    };
  }, [uploads]);
  return ready === uploads;
}
