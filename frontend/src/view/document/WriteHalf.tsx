/** The container of the text editor, which is loaded on first use. */
import { useEffect, useRef, useState } from 'react';
import type { WritingLook } from '../../sync/preferences';
import { useEditorContext, useLive, useUiState } from '../context/EditorContext';
import { untilLoaded } from '../ui/loading/later';
import type { EditorHandle } from './editorHandle';
import { LoadingLines } from './LoadingLines';
import { livePreview } from './livePreview';

interface Props {
  isShown: boolean;
  nodes: EditorNodes;
  /** Called with the editor once it is loaded, and with null when it is closed. */
  onEditor: (editor: EditorHandle | null) => void;
}

type EditorNodes = Parameters<EditorHandle['surround']>[0]['nodes'];

export function WriteHalf({ isShown, nodes, onEditor }: Props) {
  const { client, live, ui, present, commands } = useEditorContext();
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
    // Without live preview a text can be written all the same.
    const preview = newestLook.current === 'live' ? livePreview.load().catch(() => null) : null;
    void Promise.all([untilLoaded(() => import('./editor/open')), preview]).then(([{ openEditor }]) => {
      if (isGone || !host.current) return;
      opened = openEditor({
        parent: host.current,
        client,
        text: live.text,
        preview: previewFor(newestLook.current),
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
      setEditor(null);
      tell.current(null);
    };
  }, [client, live, ui, present, commands, isKnown]);
  useEffect(() => editor?.surround({ nodes, selected }), [editor, nodes, selected]);
  useEffect(() => {
    if (!editor) return;
    let isNewest = true;
    const show = () => isNewest && editor.show(previewFor(look));
    if (look === 'live' && !livePreview.known) void untilLoaded(livePreview.load).then(show, () => undefined);
    else show();
    return () => {
      isNewest = false;
    };
  }, [editor, look]);
  return (
    <div ref={host} className="write-half" hidden={!isShown}>
      {!editor && <LoadingLines />}
    </div>
  );
}

/** Null where it is not loaded. */
const previewFor = (look: WritingLook) => (look === 'live' ? (livePreview.known?.() ?? null) : null);
