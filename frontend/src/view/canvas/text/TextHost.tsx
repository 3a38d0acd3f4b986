/**
 * The command that shows the diagram as text, and the place of that text: left of the canvas, in its pane. Not here: the text
 * (`TextPane.tsx`), which is read when it is first shown.
 */
import { AlignLeft } from 'lucide-react';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { remember, stored } from '../../../sync/preferences';
import { useCommands, useEditorContext, useLive } from '../../context/EditorContext';
import { useVisibleMode } from '../../context/useVisibleMode';
import { laterInBackground } from '../../ui/loading/later';

const TextPane = laterInBackground(async () => (await import('./TextPane')).TextPane);

const KEY = 'draftsmith.text';

export function TextHost() {
  const { ui } = useEditorContext();
  const [isShown, setIsShown] = useState(() => stored(KEY) === 'open');
  const [isAsked, setIsAsked] = useState(false);
  const mode = useVisibleMode();
  const place = usePlace(isShown && mode !== 'document');
  const show = (isOpen: boolean) => {
    remember(KEY, isOpen ? 'open' : 'closed');
    setIsAsked(isOpen);
    setIsShown(isOpen);
    if (isOpen && mode === 'document') ui.setMode('split');
  };
  useCommands([
    {
      id: 'view.text',
      title: isShown ? 'Hide the diagram as text' : 'Diagram as text',
      group: 'View',
      icon: AlignLeft,
      keys: ['Alt+T'],
      reach: 'everywhere',
      words: 'code lines write dsl d2 eraser likec4 mermaid source',
      run: () => show(!isShown),
    },
  ]);
  return place && createPortal(<TextPane isAsked={isAsked} onClose={() => show(false)} />, place);
}

/** An element of its own in the pane of the diagram, which comes and goes with the views; null without one. */
function usePlace(isWanted: boolean): HTMLElement | null {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const isKnown = useLive((live) => live.isKnown);
  const mode = useVisibleMode();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each view has a pane of its own
  useEffect(() => {
    if (!isWanted || !isKnown) return;
    const host = document.createElement('div');
    host.className = 'text-place';
    const put = (): boolean => {
      const pane = document.querySelector('#diagram:not([aria-busy])');
      pane?.prepend(host);
      if (pane) setPlace(host);
      return pane !== null;
    };
    // The pane may have to be loaded first.
    const observer = new MutationObserver(() => put() && observer.disconnect());
    if (!put()) observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      observer.disconnect();
      setPlace(null);
      host.remove();
    };
  }, [isWanted, isKnown, mode]);
  return isWanted ? place : null;
}
