/** Navigation between proposed changes of the document; goes to the first when ghosts are to be shown. */
import { useCallback, useEffect, useRef } from 'react';
import { useEditorContext } from '../../context/EditorContext';
import type { Ghosts, UiStore } from '../../context/uiState';
import { prefersReducedMotion } from '../../ui/reducedMotion';
import type { EditorHandle } from '../editorHandle';
import { placesIn } from './editorGhosts';

/** The last request that was carried out, also by an earlier pane. */
const metAt = new WeakMap<UiStore, number>();

interface StepsInput {
  ghosts: Ghosts;
  editor: EditorHandle | null;
  /** Whether the comparison replaces the preview. */
  isComparing: boolean;
  count: number;
}

export function useSteps({ ghosts, editor, isComparing, count }: StepsInput): (by: 1 | -1) => void {
  const { ui } = useEditorContext();
  const at = useRef({ of: ghosts.of, index: -1 });
  if (at.current.of !== ghosts.of) at.current = { of: ghosts.of, index: -1 };
  const go = useCallback(
    (to: number) => {
      at.current.index = to;
      if (editor) {
        const hunk = placesIn(editor.view)[to];
        if (hunk) editor.goTo({ from: hunk.from, to: hunk.to });
      } else if (isComparing)
        comparedPlaces()[to]?.scrollIntoView({
          block: 'center',
          behavior: prefersReducedMotion() ? 'auto' : 'smooth',
        });
    },
    [editor, isComparing],
  );
  const isReady = count > 0 && (editor !== null || isComparing);
  useEffect(() => {
    if (!isReady || ghosts.at <= (metAt.get(ui) ?? 0)) return;
    metAt.set(ui, ghosts.at);
    // Decorations and comparison are rendered by then.
    const frame = requestAnimationFrame(() => go(0));
    return () => cancelAnimationFrame(frame);
  }, [isReady, ghosts.at, ui, go]);
  return useCallback(
    (by) => {
      if (count === 0) return;
      const { index } = at.current;
      const before = index < 0 && by < 0 ? 0 : index;
      go((before + by + count) % count);
    },
    [count, go],
  );
}

/** The first line of each difference. */
function comparedPlaces(): Element[] {
  const lines = [...document.querySelectorAll('#document .text-comparison .compared:not(.same)')];
  return lines.filter((line) => {
    const before = line.previousElementSibling;
    return !before?.matches('.compared:not(.same)');
  });
}
