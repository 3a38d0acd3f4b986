/**
 * Preloads the parts of the page that are loaded on demand, when the browser is idle: they must open also while the
 * server is down, or was replaced by a newer version. A browser that saves data loads
 * most of them when they are opened.
 */
import { useEffect, useState } from 'react';
import { loadTransitions } from '../canvas/lateTransitions';
import { outlineHeadings, readHalf } from '../document/laterParts';
import { arranging } from '../gestures/arrangingPart';
import { typesByName } from '../gestures/sendMade';
import { whenIdle } from '../ui/loading/whenIdle';

/** What a document that is in sight waits for: nothing else is to take its room on the line. */
const DOCUMENT: readonly (() => Promise<unknown>)[] = [
  () => import('../document/DocumentPane'),
  () => import('../document/editor/open'),
];
/** In order of need, one after the other. */
const PARTS: typeof DOCUMENT = [
  () => import('../ui/overlay/overlayParts'),
  loadTransitions,
  ...DOCUMENT,
  readHalf.load,
  outlineHeadings.load,
  () => import('./Split'),
  () => import('./SidePanel'),
  () => import('../assistant/AssistantHost'),
  () => import('../canvas/ghosts/GhostLayer'),
  () => import('../document/ghosts/DocumentGhosts'),
  () => import('../assistant/ConnectModelDialog'),
  () => import('../people/TrayDialog'),
  () => import('../people/PeopleList'),
  () => import('../people/FollowBar'),
  () => import('../history/RevisionBar'),
  () => import('../history/TextComparison'),
  () => import('../people/NameQuestion'),
  () => import('../shell/ProfileDialog'),
  () => import('../settings/WorkspaceSettings'),
  () => import('../tour/TourHost'),
  () => import('../gestures/ContextMenu'),
  () => import('../gestures/menuHere'),
  () => import('../gestures/TypePicker'),
  () => import('../palette/FoundTypes'),
  arranging.load,
  typesByName.load,
  () => import('../gestures/DeleteDialog'),
  () => import('../gestures/pasting'),
  () => import('../canvas/FrameTitles'),
  () => import('../people/Others'),
  () => import('../gestures/ConnectDialog'),
  () => import('../history/HistoryDialogs'),
  () => import('../history/UndoAllDialog'),
  () => import('../export/ExportHost'),
  () => import('../access/ShareHost'),
  () => import('../suggest/SuggestHost'),
  () => import('../export/ExportDialog'),
  () => import('./WorkspaceFinder'),
  () => import('./GonePage'),
  () => import('../commands/KeysDialog'),
];
/** What must be there without being opened. */
const NEEDED: typeof DOCUMENT = [
  () => import('../assistant/AssistantHost'),
  () => import('../tour/TourHost'),
  () => import('../export/ExportHost'),
  () => import('../access/ShareHost'),
  () => import('../suggest/SuggestHost'),
];
const AGAIN_MS = 5000;

/** Starts once the first view is rendered. Returns what is loaded. */
export function usePreload(isBegun: boolean, isDocumentShown: boolean): 'first' | 'needed' | 'all' {
  const [count, setCount] = useState(0);
  const [isSaving] = useState(isSavingData);
  // What is there already takes no time to be read again.
  const [parts] = useState(() => (isSaving ? NEEDED : isDocumentShown ? [...DOCUMENT, ...PARTS] : PARTS));
  useEffect(() => {
    const read = parts[count];
    if (!isBegun || !read) return;
    let isHere = true;
    const next = () => isHere && setCount(count + 1);
    let timer: ReturnType<typeof setTimeout>;
    // The server may be down just now.
    const go = () =>
      read().then(next, () => {
        timer = setTimeout(go, AGAIN_MS);
      });
    const cancel = whenIdle(go);
    return () => {
      isHere = false;
      cancel();
      clearTimeout(timer);
    };
  }, [isBegun, count, parts]);
  if (count < parts.length) return 'first';
  return isSaving ? 'needed' : 'all';
}

/** Not known in every browser. */
function isSavingData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
}
