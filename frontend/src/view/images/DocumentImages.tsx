/** The images of the document pane: files that are brought into the text, what is shown of them, and how uploads are going. */
import '../styles/images.css';
import { ImagePlus } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import { changesBetween } from '../../model/core/textDiff';
import { resizedImage, type ShownImage } from '../../model/text/images';
import type { LocalImage } from '../../sync/images/uploads';
import { useCommands, useEditorContext, useUiState } from '../context/EditorContext';
import { useToasts } from '../ui/overlay/Toasts';
import { chooseImages, type ImageEditor, type ImageTools, takeFiles } from './insertImages';
import { watchImages } from './proseImages';
import { UploadStatus } from './UploadStatus';
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
  useCommands([
    {
      id: 'document.image',
      title: 'Image',
      group: 'Document',
      icon: ImagePlus,
      words: 'picture photo screenshot upload file',
      isEnabled: () => editor !== null && isWriting,
      run: () => editor && chooseImages(editor, tools),
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

/** What is said when images are brought in. */
function useImageTools(): ImageTools {
  const { id, live } = useEditorContext();
  const toasts = useToasts();
  return useMemo(() => {
    const onInserted = (images: readonly LocalImage[]) => {
      if (images.some(({ isKept, state }) => !isKept && state !== 'sent'))
        toasts.show({
          text: 'Keep this page open until the upload is done',
          detail: 'This browser has no storage: the image would be lost with the page.',
          tone: 'bad',
        });
      else if (live.state.getState().status.connection !== 'live')
        toasts.show({
          text:
            images.length > 1 ? 'The images are kept in this browser' : 'The image is kept in this browser',
          detail:
            'It keeps up to 50 MB, also when this page is closed, and uploads them when the server is back.',
        });
    };
    const onProblems = (problems: readonly string[]) =>
      toasts.show({
        text: problems.length > 1 ? 'Some files were not inserted' : 'The file was not inserted',
        detail: problems.join(' '),
        tone: 'bad',
      });
    return { uploads: uploadsOf(id), onInserted, onProblems };
  }, [id, live, toasts]);
}
