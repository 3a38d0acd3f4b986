/** Undo and redo: the buttons name their target, the keys do the same unless a field handles them. */
import { Redo2, Undo2, UserRound } from 'lucide-react';
import { useState } from 'react';
import { type UndoWay, undoWords } from '../../model/history/undoTarget';
import { type Keys, spokenKeys, written } from '../commands/keys';
import { useCommands, useUiState } from '../context/EditorContext';
import { IconButton } from '../ui/IconButton';
import { later } from '../ui/loading/later';
import { useUndo } from './useUndo';

const UndoAllDialog = later(async () => (await import('./UndoAllDialog')).UndoAllDialog);

const KEYS: Record<UndoWay, readonly Keys[]> = { undo: ['Mod+Z'], redo: ['Mod+Shift+Z', 'Mod+Y'] };
const ICONS = { undo: Undo2, redo: Redo2 };
const WAYS: readonly UndoWay[] = ['undo', 'redo'];

/** `isOff`: an old revision is shown, and nothing is undone. */
export function UndoButtons({ isOff }: { isOff: boolean }) {
  const undo = useUndo();
  const focus = useUiState((state) => state.focus);
  const [isAsking, setIsAsking] = useState(false);
  const choice = (way: UndoWay) => (isOff ? null : undo[way]);
  const words = (way: UndoWay) => undoWords(way, choice(way), focus);
  useCommands([
    ...WAYS.map((way) => ({
      id: `edit.${way}`,
      title: choice(way) ? words(way) : way === 'undo' ? 'Undo' : 'Redo',
      group: 'Edit' as const,
      icon: ICONS[way],
      keys: KEYS[way],
      reach: 'everywhere' as const,
      isEnabled: () => !isOff && !isInOwnField(),
      run: () => undo.take(way),
    })),
    {
      id: 'history.undo-all',
      title: 'Undo the newest change of anybody…',
      group: 'History',
      icon: UserRound,
      words: 'everyone others all',
      isEnabled: () => !isOff,
      run: () => setIsAsking(true),
    },
  ]);
  return (
    <div className="undo-buttons" role="group" aria-label="Undo and redo">
      {WAYS.map((way) => (
        <IconButton
          key={way}
          icon={ICONS[way]}
          label={words(way)}
          keys={written(KEYS[way][0] as Keys)}
          aria-keyshortcuts={KEYS[way].map(spokenKeys).join(' ')}
          disabled={!choice(way)}
          onClick={() => undo.take(way)}
        />
      ))}
      {isAsking && <UndoAllDialog onClose={() => setIsAsking(false)} />}
    </div>
  );
}

/** Whether a focused field handles undo itself: any but texts of the workspace and the command palette's. */
function isInOwnField(): boolean {
  const field = document.activeElement?.closest(
    'input:not([type="checkbox"]), textarea, select, [contenteditable="true"]',
  );
  return !!field && !field.closest('main .cm-content, [cmdk-root], dialog[open]');
}
