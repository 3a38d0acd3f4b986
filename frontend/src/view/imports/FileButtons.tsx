/** Two buttons that choose what is imported: files, or a folder. */
import { FileUp, FolderUp } from 'lucide-react';
import { type ChangeEvent, type ReactNode, useRef } from 'react';
import { type ChosenFile, chosenOf } from './chosenFiles';

interface Words {
  files: string;
  folder: string;
  /** Of the field behind the first button. */
  field: string;
}

interface Props {
  onChosen: (chosen: readonly ChosenFile[]) => void;
  className?: string;
  words?: Words;
  /** The id of what says more of the first button. */
  describedBy?: string;
  /** Stands behind the buttons. */
  children?: ReactNode;
}

const OF_SEVERAL: Words = { files: 'Choose files', folder: 'Choose a folder', field: 'Files to import' };

export function FileButtons({
  onChosen,
  className = 'import-choose',
  words = OF_SEVERAL,
  describedBy,
  children,
}: Props) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const chosen = chosenOf(event.target.files ?? []);
    // So that the same can be chosen again after a correction.
    event.target.value = '';
    if (chosen.length > 0) onChosen(chosen);
  };
  return (
    <div className={className}>
      <button
        type="button"
        className="button"
        data-autofocus
        onClick={() => files.current?.click()}
        aria-describedby={describedBy}
      >
        <FileUp size={16} strokeWidth={1.9} aria-hidden="true" />
        {words.files}
      </button>
      <button type="button" className="button" onClick={() => folder.current?.click()}>
        <FolderUp size={16} strokeWidth={1.9} aria-hidden="true" />
        {words.folder}
      </button>
      {children}
      <input ref={files} type="file" multiple hidden aria-label={words.field} onChange={choose} />
      <input
        ref={folder}
        type="file"
        hidden
        aria-label="Folder to import"
        onChange={choose}
        {...{ webkitdirectory: '' }}
      />
    </div>
  );
}
