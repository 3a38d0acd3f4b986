/** The images of the document pane: files that are brought into the text, what is shown of them, and how uploads are going. */
import '../styles/images.css';
import { ImagePlus } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { changesBetween } from '../../model/core/textDiff';
import { resizedImage, type ShownImage } from '../../model/text/images';
import { counted } from '../../model/words/kinds';
import type { LocalImage, Uploads } from '../../sync/images/uploads';
import { useCommands, useEditorContext, useUiState } from '../context/EditorContext';
import type { CopiedImages } from './copiedImages';
import { bringImagesAlong } from './copiedText';
import { chooseImages, type ImageEditor, type ImageTools, takeFiles } from './insertImages';
import { watchImages } from './proseImages';
import { useImageNotices } from './useImageNotices';
import { uploadsOf } from './workspaceImages';

interface Props {
  /** The text editor; null while nobody can write. */
  editor: ImageEditor | null;
  /** Whether it is in sight. */
  isWriting: boolean;
  /** The read half, while it is shown. */
  readHalf: HTMLElement | null;
  isWritable: boolean;
}

export function DocumentImages({ editor, isWriting, readHalf, isWritable }: Props) {
  const { id, client } = useEditorContext();
  const uploads = uploadsOf(id);
  const tools = useImageTools();
  useEffect(() => (editor ? takeFiles(editor, tools) : undefined), [editor, tools]);
  const onCopied = useOnCopied();
  useEffect(
    () => (editor ? bringImagesAlong(editor.view.dom, id, onCopied) : undefined),
    [editor, id, onCopied],
  );
  useCommands([
    {
      id: 'document.image',
      title: 'Image',
      group: 'Document',
      icon: ImagePlus,
      words: 'picture photo screenshot upload file',
      isEnabled: () => editor !== null && isWriting,
      run: () => editor && chooseImages(editor),
    },
  ]);
  const resize = useRef((_image: ShownImage, _width: number | null): boolean => false);
  resize.current = (image, width) => {
    // What the editor shows may be behind by a moment.
    const text = editor ? editor.view.state.doc.toString() : client.view.text;
    const change = resizedImage(text, image, width);
    if (!change) return false;
    if (editor) editor.step({ changes: change, userEvent: 'input' });
    else
      client.type(changesBetween(text, text.slice(0, change.from) + change.insert + text.slice(change.to)));
    return true;
  };
  useEffect(() => {
    const body = readHalf?.querySelector<HTMLElement>('.prose');
    if (!body) return;
    const onResize = (image: ShownImage, width: number | null) => resize.current(image, width);
    return watchImages(body, { workspace: id, uploads, isWritable, resize: onResize });
  }, [readHalf, id, uploads, isWritable]);
  const isLive = useUiState(({ look }) => look === 'live');
  useEffect(() => {
    // Live preview puts an element where an image is.
    if (!editor || !isLive) return;
    const asRead = { workspace: id, uploads, isWritable: false, resize: () => false };
    return watchImages(editor.view.contentDOM, asRead);
  }, [editor, isLive, id, uploads]);
  return <UploadStatus uploads={uploads} />;
}

function useImageTools(): ImageTools {
  const { id } = useEditorContext();
  const { sayKept, sayProblems } = useImageNotices();
  return useMemo(
    () => ({
      uploads: uploadsOf(id),
      onInserted: sayKept,
      onProblems: (problems) =>
        sayProblems(
          problems.length > 1 ? 'Some files were not inserted' : 'The file was not inserted',
          problems,
        ),
    }),
    [id, sayKept, sayProblems],
  );
}

/** Says what came along with a text from another workspace, and what did not. How uploads go is said below the text. */
function useOnCopied(): (copied: CopiedImages) => void {
  const { sayKept, sayProblems } = useImageNotices();
  return useCallback(
    ({ images, missing, problems }) => {
      if (images.length > 0) sayKept(images);
      if (missing.size > 0) sayProblems(`${counted(missing.size, 'image')} did not come along`, problems);
    },
    [sayKept, sayProblems],
  );
}

/** A line that says how many images are on their way to the server, while there are any, and what was refused. */
function UploadStatus({ uploads }: { uploads: Uploads }) {
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
