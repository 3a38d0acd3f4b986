/**
 * The image of a node: what it is now, and how it is set: chosen, pasted while this has the focus, or dropped here.
 */
import '../styles/node-images.css';
import { ImageOff, ImageUp } from 'lucide-react';
import { type ClipboardEvent, type DragEvent, useId, useRef, useState } from 'react';
import { hashOfImage } from '../../model/text/images';
import type { DiagramNode } from '../../protocol/types';
import { useEditorContext } from '../context/EditorContext';
import { TypeTile } from '../drawing/TypeTile';
import { chooseFiles } from '../images/chooseFiles';
import { carriesFiles, droppedFiles, pastedFiles } from '../images/takenFiles';
import { useNodeImages } from '../images/useNodeImages';
import { useOwnImage } from '../images/useOwnImage';
import { uploadsOf } from '../images/workspaceImages';

interface Props {
  node: DiagramNode;
  isDisabled: boolean;
}

export function ImageField({ node, isDisabled }: Props) {
  const images = useNodeImages();
  const [isOver, setIsOver] = useState(false);
  const chooser = useRef<HTMLButtonElement>(null);
  const id = useId();
  if (isDisabled && !node.image) return null;
  const take = (files: File[]) => void images.set(node.id, files);
  const ways = isDisabled ? {} : waysIn(take, setIsOver);
  return (
    <div
      className={`field image-field${isOver ? ' over' : ''}`}
      role="group"
      // A click puts the focus here, so that an image can be pasted.
      tabIndex={-1}
      aria-labelledby={id}
      aria-describedby={isDisabled ? undefined : `${id}-hint`}
      {...ways}
    >
      <span id={id} className="image-label">
        Image
      </span>
      {node.image && <ImagePreview node={node} />}
      {!isDisabled && (
        <>
          <div className="prop-actions">
            <button ref={chooser} type="button" className="button small" onClick={() => chooseFiles(take)}>
              <ImageUp size={15} strokeWidth={2} aria-hidden="true" />
              {node.image ? 'Replace image…' : 'Choose image…'}
            </button>
            {node.image && (
              <button
                type="button"
                className="button small"
                onClick={() => {
                  // This button goes with the image.
                  chooser.current?.focus();
                  images.remove(node.id);
                }}
              >
                <ImageOff size={15} strokeWidth={2} aria-hidden="true" />
                Remove image
              </button>
            )}
          </div>
          <p id={`${id}-hint`} className="field-hint">
            Or paste one here, or drop a file.
            {node.type === 'group' && ' A group shows it while it is collapsed.'}
          </p>
        </>
      )}
    </div>
  );
}

/** Handlers of what brings a file to an element. */
function waysIn(take: (files: File[]) => void, setIsOver: (isOver: boolean) => void) {
  return {
    onPaste: (event: ClipboardEvent) => {
      const files = pastedFiles(event.clipboardData);
      if (files.length === 0) return;
      event.preventDefault();
      take(files);
    },
    onDragOver: (event: DragEvent) => {
      if (!carriesFiles(event.dataTransfer)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      setIsOver(true);
    },
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setIsOver(false);
    },
    onDrop: (event: DragEvent) => {
      setIsOver(false);
      const files = droppedFiles(event.dataTransfer);
      if (files.length === 0) return;
      event.preventDefault();
      take(files);
    },
  };
}

function ImagePreview({ node }: { node: DiagramNode }) {
  const { id } = useEditorContext();
  const { source, isDrawn, note, local, tries, onLoad, onError } = useOwnImage(node.image);
  const uploads = uploadsOf(id);
  const sha256 = hashOfImage(node.image) ?? '';
  return (
    <>
      <div className="image-preview">
        {!isDrawn && <TypeTile type={node.type} color={node.color} custom={node.custom} />}
        {source && (
          <img
            key={`${source} ${tries}`}
            src={source}
            alt={node.label}
            hidden={!isDrawn}
            decoding="async"
            draggable={false}
            onLoad={onLoad}
            onError={onError}
          />
        )}
      </div>
      <p className="field-hint" role="status">
        {note}
      </p>
      {local?.state === 'refused' && (
        <div className="prop-actions">
          <button type="button" className="button small" onClick={() => uploads.retry(sha256)}>
            Try again
          </button>
        </div>
      )}
    </>
  );
}
