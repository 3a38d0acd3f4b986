/** Which version this is, where to read more, and the first steps once more. */

import { BookOpen, Footprints } from 'lucide-react';
import { ROOT_PATH } from '../../protocol/root';
import { serverVersion } from '../ui/failure/version';

export function AboutSettings({ onTour }: { onTour: () => void }) {
  return (
    <>
      <p className="setting-note">
        {serverVersion() ? `Version ${serverVersion()}. ` : ''}Everything is stored on the server that this
        page comes from, and nowhere else.
      </p>
      <div className="setting-actions">
        <button type="button" className="button" onClick={onTour}>
          <Footprints size={16} strokeWidth={1.9} aria-hidden="true" />
          Show the tour again
        </button>
        <a className="button" href={`${ROOT_PATH}/docs`} target="_blank" rel="noreferrer">
          <BookOpen size={16} strokeWidth={1.9} aria-hidden="true" />
          API reference<span className="visually-hidden"> (opens a new tab)</span>
        </a>
      </div>
    </>
  );
}
