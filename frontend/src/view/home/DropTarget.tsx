/** Makes the page a drop target for files. */
import { FileUp } from 'lucide-react';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import type { Dropped } from '../imports/chosenFiles';

const hasFile = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files');

export function DropTarget({
  onDrop,
  children,
}: {
  onDrop: (dropped: Dropped) => void;
  children: ReactNode;
}) {
  // dragenter of a child is fired before dragleave of its parent, so both are counted.
  const depth = useRef(0);
  const [isOver, setIsOver] = useState(false);
  const move = (step: number) => {
    depth.current = Math.max(0, depth.current + step);
    setIsOver(depth.current > 0);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button "Import" does the same by click and by keyboard
    <div
      className="page"
      onDragEnter={(event) => hasFile(event) && move(1)}
      onDragLeave={(event) => hasFile(event) && move(-1)}
      onDragOver={(event) => {
        if (!hasFile(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
      }}
      onDrop={(event) => {
        if (!hasFile(event)) return;
        event.preventDefault();
        move(-depth.current);
        const { files, items } = event.dataTransfer;
        onDrop({ files: [...files], entries: [...items].flatMap((item) => item.webkitGetAsEntry() ?? []) });
      }}
    >
      {children}
      {isOver && (
        <div className="drop-hint" aria-hidden="true">
          <FileUp size={28} strokeWidth={1.6} />
          <p>Drop files or a folder to import them</p>
          <p className="drop-kinds">JSON export, Markdown, Mermaid, draw.io drawing and others</p>
        </div>
      )}
    </div>
  );
}
