/**
 * Proposed changes of the document: a bar with their count and navigation, decorations in the editor, and, in the
 * preview, a comparison with the resulting text. When they are to be shown, it goes to the first by itself.
 */
import '../../styles/ghosts.css';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { lineHunks, linesIn, withChanges } from '../../../model/text/ghostText';
import { counted } from '../../../model/words/kinds';
import type { Ghosts } from '../../context/uiState';
import { IconButton } from '../../ui/IconButton';
import type { EditorHandle } from '../editorHandle';
import { useGhostMarks } from './useGhostMarks';
import { usePlaced } from './usePlaced';
import { useSteps } from './useSteps';

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
