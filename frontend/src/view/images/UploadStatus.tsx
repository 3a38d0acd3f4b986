/** A line that says how many images are on their way to the server, while there are any, and what was refused. */
import { useEffect, useState } from 'react';
import type { LocalImage, Uploads } from '../../sync/images/uploads';

export function UploadStatus({ uploads }: { uploads: Uploads }) {
  const [open, setOpen] = useState<readonly LocalImage[]>([]);
  useEffect(() => {
    const read = () => setOpen(uploads.all().filter(({ state }) => state !== 'sent'));
    read();
    return uploads.subscribe(read);
  }, [uploads]);
  const sending = open.filter(({ state }) => state === 'sending');
  const waiting = open.filter(({ state }) => state === 'waiting');
  const refused = open.filter(({ state }) => state === 'refused');
  const part = sending[0]?.part ?? 0;
  return (
    <div className="image-uploads" hidden={open.length === 0}>
      <p role="status">{wordsFor(sending.length, waiting.length)}</p>
      {sending.length > 0 && <progress max={1} value={part} aria-label="Upload of the image" />}
      {refused.map(({ sha256, name, reason }) => (
        <p key={sha256} role="alert">
          {name || 'An image'} was not uploaded: {reason}
          <button type="button" className="button small" onClick={() => uploads.retry(sha256)}>
            Try again
          </button>
          <button type="button" className="button small" onClick={() => void uploads.remove(sha256)}>
            Discard image
          </button>
        </p>
      ))}
    </div>
  );
}

function wordsFor(sending: number, waiting: number): string {
  const images = (count: number) => (count === 1 ? '1 image' : `${count} images`);
  if (sending > 0) return `Uploading ${images(sending + waiting)}…`;
  return waiting > 0 ? `${images(waiting)} will be uploaded when the server is back` : '';
}
