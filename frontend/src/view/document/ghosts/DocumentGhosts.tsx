/**
 * Proposed changes of the document: a bar with their count and navigation, decorations in the editor, and, in the
 * preview, a comparison with the resulting text. When they are to be shown, it goes to the first by itself.
 */
import '../../styles/ghosts.css';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import {
  carried,
  lineHunks,
  linesIn,
  NO_CHANGES,
  type PlacedChanges,
  placeChanges,
  withChanges,
} from '../../../model/text/ghostText';
import { counted } from '../../../model/words/kinds';
import { useEditorContext } from '../../context/EditorContext';
import type { Ghosts, UiStore } from '../../context/uiState';
import { IconButton } from '../../ui/IconButton';
import { prefersReducedMotion } from '../../ui/reducedMotion';
import { useThrottledValue } from '../../ui/useThrottledValue';
import type { EditorHandle } from '../editorHandle';
import { placesIn, propose } from './editorGhosts';

interface Props {
  ghosts: Ghosts;
  /** The shown text. */
  text: string;
  /** The editor, while it is visible. */
  editor: EditorHandle | null;
  /** Whether only the preview is visible. */
  isReading: boolean;
  /** Called with both texts where a comparison is to replace the preview. */
  onCompare: (texts: { from: string; to: string } | null) => void;
}

export function DocumentGhosts({ ghosts, text, editor, isReading, onCompare }: Props) {
  const { text: now, placed } = usePlaced(ghosts, text);
  const hunks = useMemo(() => lineHunks(linesIn(now), placed.changes), [now, placed]);
  const [isProse, setIsProse] = useState(false);
  const isComparing = isReading && !isProse && hunks.length > 0;
  useEffect(() => {
    onCompare(isComparing ? { from: now, to: withChanges(now, placed.changes) } : null);
  }, [onCompare, isComparing, now, placed]);
  useEffect(() => () => onCompare(null), [onCompare]);
  useGhostMarks(ghosts, editor);
  const step = useSteps({ ghosts, editor, isComparing, count: hunks.length });
  if (hunks.length + placed.lost === 0) return null;
  return (
    <section className="ghost-bar" aria-label="Proposed changes">
      <p role="status">
        {hunks.length > 0 && (
          <>
            <strong>Proposed changes:</strong> {counted(hunks.length, 'place')}
          </>
        )}
        {placed.lost > 0 && <span className="ghost-lost">{lostWords(placed.lost)}</span>}
      </p>
      {hunks.length > 0 && (editor !== null || isComparing) && (
        <span className="ghost-steps">
          <IconButton icon={ChevronUp} label="Previous proposed change" onClick={() => step(-1)} />
          <IconButton icon={ChevronDown} label="Next proposed change" onClick={() => step(1)} />
        </span>
      )}
      {isReading && hunks.length > 0 && (
        <button type="button" className="link-button" onClick={() => setIsProse(!isProse)}>
          {isProse ? 'Show what would change' : 'Show the text as it is'}
        </button>
      )}
    </section>
  );
}

const lostWords = (lost: number): string =>
  lost === 1
    ? '1 change stands where the text has changed'
    : `${lost} changes stand where the text has changed`;

interface Placed {
  text: string;
  placed: PlacedChanges;
}

/** The positions of proposed changes in the current text: placed once, then mapped through edits. */
function usePlaced({ steps, document }: Ghosts, newest: string): Placed {
  const text = useThrottledValue(newest);
  const last = useRef<(Placed & { steps: unknown; document: unknown }) | null>(null);
  return useMemo(() => {
    const known = last.current;
    const isSame = known !== null && known.steps === steps && known.document === document;
    const placed = isSame ? carried(known.placed, known.text, text) : placeChanges(text, steps, document);
    last.current = { steps, document, text, placed };
    return { text, placed };
  }, [steps, document, text]);
}

/** Updates the decorations of the editor from the shown ghosts. */
function useGhostMarks({ steps, document }: Ghosts, editor: EditorHandle | null): void {
  useEffect(() => {
    if (editor) propose(editor.view, placeChanges(editor.view.state.doc.toString(), steps, document));
  }, [editor, steps, document]);
  // Not on every new list: the old decorations stay until the new ones are placed.
  useEffect(() => {
    if (!editor) return;
    return () => propose(editor.view, NO_CHANGES);
  }, [editor]);
}

/** The last request that was carried out, also by an earlier pane. */
const lastRequest = new WeakMap<UiStore, number>();

interface StepsInput {
  ghosts: Ghosts;
  editor: EditorHandle | null;
  /** Whether the comparison replaces the preview. */
  isComparing: boolean;
  count: number;
}

/** Goes from one proposed change to the next, and to the first when ghosts are to be shown. */
function useSteps({ ghosts, editor, isComparing, count }: StepsInput): (by: 1 | -1) => void {
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
    if (!isReady || ghosts.at <= (lastRequest.get(ui) ?? 0)) return;
    lastRequest.set(ui, ghosts.at);
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
