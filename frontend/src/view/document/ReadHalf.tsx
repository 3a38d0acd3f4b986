/** The preview: the shown document as prose, updated while typing. */
import { FileText } from 'lucide-react';
import { type Ref, useRef } from 'react';
import { toggledTask } from '../../model/text/tasks';
import type { DiagramNode } from '../../protocol/types';
import { useEditorContext, useUiState } from '../context/EditorContext';
import { useWorkspaceView } from '../context/useWorkspaceView';
import { Notice } from '../ui/Notice';
import { useToasts } from '../ui/overlay/Toasts';
import { useIsDark } from '../ui/useMedia';
import { useThrottledValue } from '../ui/useThrottledValue';
import { copyLink } from './copyLink';
import type { EditorHandle } from './editorHandle';
import { Prose, type ProseHandle } from './Prose';

interface Props {
  ref: Ref<ProseHandle>;
  nodes: ReadonlyMap<string, DiagramNode>;
  editor: EditorHandle | null;
}

/** New blocks this shortly after one's own typing are one's own. */
const OWN_MS = 2000;

export function ReadHalf({ ref, nodes, editor }: Props) {
  const { ui, live, client, access } = useEditorContext();
  const text = useThrottledValue(useWorkspaceView().text);
  const selected = useUiState(({ selection }) => selection.nodes);
  const isDark = useIsDark();
  const toasts = useToasts();
  const tickedAt = useRef(0);
  const tick = (index: number): boolean => {
    const now = client.view.text;
    const change = toggledTask(now, index, text);
    if (!change || !access.isTextWritable) return false;
    tickedAt.current = Date.now();
    if (editor) editor.change(change);
    else live.text.type(replacing(now.length, change));
    return true;
  };
  if (!text.trim())
    return (
      <div className="read-half">
        <Notice
          icon={FileText}
          title="The document is empty"
          advice="What is written here explains the diagram: goals, components, decisions."
        />
      </div>
    );
  return (
    <Prose
      ref={ref}
      text={text}
      nodes={nodes}
      selected={selected}
      isWritable={access.isTextWritable}
      isDark={isDark}
      isNewPointedOut={() => Date.now() - Math.max(editor?.lastTypedAt() ?? 0, tickedAt.current) > OWN_MS}
      onOpenNode={(id) => ui.show([id], { pulse: true })}
      onCopyLink={(anchor, title) => void copyLink(toasts, anchor, title)}
      onTick={tick}
    />
  );
}

/** The replacement of one character. */
function replacing(length: number, { from, to, insert }: { from: number; to: number; insert: string }) {
  const rest = length - to;
  return [...(from ? [from] : []), [to - from, insert] as [number, string], ...(rest ? [rest] : [])];
}
