/** Two buttons that choose what is imported: files, or a folder. */
import { FileUp, FolderUp } from 'lucide-react';
import { type ChangeEvent, useRef } from 'react';
import { type ChosenFile, chosenOf } from './chosenFiles';

interface Props {
  onChosen: (chosen: readonly ChosenFile[]) => void;
}

export function FileButtons({ onChosen }: Props) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const chosen = chosenOf(event.target.files ?? []);
    // So that the same can be chosen again after a correction.
    event.target.value = '';
    if (chosen.length > 0) onChosen(chosen);
  };
  return (
    <div className="import-choose">
      <button type="button" className="button" data-autofocus onClick={() => files.current?.click()}>
        <FileUp size={16} strokeWidth={1.9} aria-hidden="true" />
        Choose files
      </button>
      <button type="button" className="button" onClick={() => folder.current?.click()}>
        <FolderUp size={16} strokeWidth={1.9} aria-hidden="true" />
        Choose a folder
      </button>
      <input ref={files} type="file" multiple hidden aria-label="Files to import" onChange={choose} />
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
