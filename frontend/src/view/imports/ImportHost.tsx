/**
 * Files that come into the workspace that is open: its command, what is dropped or pasted on the canvas, and the dialog, which
 * is read when it is needed. What is dropped on a card is an image for it (`canvas/NodeImages`).
 */
import '../styles/imports.css';
import { FileDown } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useCommands, useEditorContext } from '../context/EditorContext';
import { filesToImport } from '../context/offeredFiles';
import { carriesFiles } from '../images/takenFiles';
import { later } from '../ui/loading/later';
import { useToasts } from '../ui/overlay/Toasts';
import { type ChosenFile, chosenOf, type Dropped, droppedOf } from './chosenFiles';

const OpenImportDialog = later(async () => (await import('./OpenImportDialog')).OpenImportDialog);

export function ImportHost({ onProposed }: { onProposed: (proposal: string) => void }) {
  const { id, access } = useEditorContext();
  const toasts = useToasts();
  const [chosen, setChosen] = useState<readonly ChosenFile[] | null>(null);
  const newest = useRef(0);
  useEffect(
    () =>
      filesToImport.take(id, (files) => {
        newest.current += 1;
        setChosen(chosenOf(files));
      }),
    [id],
  );
  const isOver = useCanvasDrops(access.isWritable && chosen === null, (dropped) => {
    newest.current += 1;
    const own = newest.current;
    droppedOf(dropped).then((found) => {
      // Meanwhile something else may have been dropped, or the dialog opened.
      if (own !== newest.current) return;
      if (found.length > 0) setChosen(found);
      else toasts.show({ text: 'Nothing of this can be imported' });
    }, toasts.showError);
  });
  useCommands([
    {
      id: 'add.import',
      title: 'Import files into this workspace…',
      group: 'Add',
      icon: FileDown,
      words: 'upload file folder drawio mermaid markdown again update',
      isEnabled: () => access.isWritable,
      run: () => {
        newest.current += 1;
        setChosen([]);
      },
    },
  ]);
  return (
    <>
      {isOver && (
        <div className="import-drop" aria-hidden="true">
          <p>Drop files to import them here</p>
          <p>You see first what is new, changed or gone.</p>
        </div>
      )}
      {chosen !== null && (
        <OpenImportDialog
          chosen={chosen}
          onProposed={(proposal) => {
            setChosen(null);
            onProposed(proposal);
          }}
          onClose={() => setChosen(null)}
        />
      )}
    </>
  );
}

/** Takes files that are dropped on the canvas beside its cards; whether some are held over it. */
function useCanvasDrops(isEnabled: boolean, take: (dropped: Dropped) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the listener of the last render takes the drop
  useEffect(() => {
    if (!isEnabled) return;
    const ends = new AbortController();
    const isFor = ({ target, dataTransfer, defaultPrevented }: DragEvent) =>
      !defaultPrevented && carriesFiles(dataTransfer) && isCanvas(target);
    const over = (event: DragEvent) => {
      const isHere = isFor(event);
      setIsOver(isHere);
      if (!isHere) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
    };
    const dropped = (event: DragEvent) => {
      setIsOver(false);
      if (!isFor(event) || !event.dataTransfer) return;
      event.preventDefault();
      const { files, items } = event.dataTransfer;
      take({ files: [...files], entries: [...items].flatMap((item) => item.webkitGetAsEntry() ?? []) });
    };
    const left = (event: DragEvent) => {
      if (event.relatedTarget === null) setIsOver(false);
    };
    document.addEventListener('dragover', over, { signal: ends.signal });
    document.addEventListener('drop', dropped, { signal: ends.signal });
    document.addEventListener('dragleave', left, { signal: ends.signal });
    return () => ends.abort();
  }, [isEnabled]);
  return isOver && isEnabled;
}

/** Whether it is the canvas, and no card on it. */
function isCanvas(target: EventTarget | null): boolean {
  if (!(target instanceof Element) || !target.closest('.react-flow')) return false;
  return !target.closest('.react-flow__node')?.querySelector('.node-card');
}
