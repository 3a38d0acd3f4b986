/** The container of the text editor, which is loaded on first use. */
import { useEffect, useRef, useState } from 'react';
import { useEditorContext, useLive, useUiState } from '../context/EditorContext';
import { filesForText } from '../context/offeredFiles';
import { MISSING } from '../ui/failure/failure';
import { untilLoaded } from '../ui/loading/later';
import { useToasts } from '../ui/overlay/Toasts';
import type { EditorHandle } from './editorHandle';
import { LoadingLines } from './LoadingLines';

interface Props {
  isShown: boolean;
  nodes: EditorNodes;
  /** Called with the editor once it is loaded, and with null when it is closed. */
  onEditor: (editor: EditorHandle | null) => void;
}

type EditorNodes = Parameters<EditorHandle['surround']>[0]['nodes'];

export function WriteHalf({ isShown, nodes, onEditor }: Props) {
  const { client, live, ui, present, commands } = useEditorContext();
  const toasts = useToasts();
  const isKnown = useLive((state) => state.isKnown);
  const selected = useUiState(({ selection }) => selection.nodes);
  const host = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<EditorHandle | null>(null);
  const look = useUiState((state) => state.look);
  const newestLook = useRef(look);
  newestLook.current = look;
  const tell = useRef(onEditor);
  tell.current = onEditor;
  useEffect(() => {
    if (!isKnown) return;
    let opened: EditorHandle | null = null;
    let isGone = false;
    void untilLoaded(() => import('./editor/open')).then(async ({ openEditor, livePreview }) => {
      // Without live preview a text can be written all the same.
      if (newestLook.current === 'live') await livePreview.load().catch(() => null);
      if (isGone || !host.current) return;
      opened = openEditor({
        parent: host.current,
        client,
        text: live.text,
        look: newestLook.current,
        onCaret: (caret) => {
          if (caret) ui.notePassage(caret, client.view.text);
          present({
            caret: caret && { rev: client.revision, ...caret },
            editing: caret ? 'document' : null,
          });
        },
        onOpenNode: (id) => ui.show([id], { pulse: true }),
        onImage: () => commands.run('document.image'),
      });
      setEditor(opened);
      tell.current(opened);
    });
    return () => {
      isGone = true;
      opened?.close();
      if (opened && filesForText.withdraw(opened.view).length > 0)
        toasts.show({ text: 'The file was not inserted', detail: MISSING.title, tone: 'bad' });
      setEditor(null);
      tell.current(null);
    };
  }, [client, live, ui, present, commands, isKnown, toasts]);
  useEffect(() => editor?.surround({ nodes, selected }), [editor, nodes, selected]);
  useEffect(() => editor?.show(look), [editor, look]);
  return (
    <div ref={host} className="write-half" hidden={!isShown}>
      {!editor && <LoadingLines />}
    </div>
  );
}
