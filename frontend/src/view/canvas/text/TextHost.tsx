/**
 * The command and the button that show the diagram as text, and the place of that text: left of the canvas, in its pane. Not
 * here: the text (`TextPane.tsx`), which is read when it is first shown.
 */
import '../../styles/text-switch.css';
import { AlignLeft } from 'lucide-react';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { remember, stored } from '../../../sync/preferences';
import { useCommands, useEditorContext, useLive } from '../../context/EditorContext';
import { useVisibleMode } from '../../context/useVisibleMode';
import { IconButton } from '../../ui/IconButton';
import { laterInBackground } from '../../ui/loading/later';

const TextPane = laterInBackground(async () => (await import('./TextPane')).TextPane);

const KEY = 'draftsmith.text';

export function TextHost() {
  const { ui } = useEditorContext();
  const [isShown, setIsShown] = useState(() => stored(KEY) === 'open');
  const [isAsked, setIsAsked] = useState(false);
  const mode = useVisibleMode();
  const isInSight = isShown && mode !== 'document';
  const place = usePlace(isInSight);
  const bar = useBar();
  const show = (isOpen: boolean) => {
    remember(KEY, isOpen ? 'open' : 'closed');
    setIsAsked(isOpen);
    setIsShown(isOpen);
    if (isOpen && mode === 'document') ui.setMode('split');
  };
  useCommands([
    {
      id: 'view.text',
      title: isInSight ? 'Hide the diagram as text' : 'Diagram as text',
      group: 'View',
      icon: AlignLeft,
      keys: ['Alt+T'],
      reach: 'everywhere',
      words: 'code lines write dsl d2 eraser likec4 mermaid source',
      run: () => show(!isInSight),
    },
  ]);
  return (
    <>
      {bar &&
        createPortal(
          <IconButton
            icon={AlignLeft}
            label="Diagram as text"
            keys="Alt+T"
            className="text-switch"
            aria-pressed={isInSight}
            onClick={() => show(!isInSight)}
          />,
          bar,
        )}
      {place && createPortal(<TextPane isAsked={isAsked} onClose={() => show(false)} />, place)}
    </>
  );
}

/** Where the bar has the views; null without a bar, as in a frame of another page. */
function useBar(): Element | null {
  const [bar, setBar] = useState<Element | null>(null);
  useEffect(() => setBar(document.querySelector('.app-bar-middle')), []);
  return bar;
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
