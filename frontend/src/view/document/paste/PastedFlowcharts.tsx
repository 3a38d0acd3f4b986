/**
 * Mermaid flowcharts in the text can be drawn on the canvas: one that was just pasted is offered, as long as it is there and
 * if the server can read it, and the one at the caret is a command. Draws nothing itself. Not here: drawing
 * (`view/gestures/drawFlowchart`).
 */
import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import { Workflow } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { flowchartOf } from '../../../model/text/mermaidSource';
import { readFlowchart } from '../../../protocol/mermaid';
import { useCommands, useEditorContext } from '../../context/EditorContext';
import { drawFlowchart, sizeOfFlowchart } from '../../gestures/drawFlowchart';
import { useToasts } from '../../ui/overlay/Toasts';
import type { EditorHandle } from '../editorHandle';
import { watchPastedFlowcharts } from './watchPastedFlowcharts';

interface Props {
  editor: EditorHandle | null;
  /** Whether the editor is visible. */
  isWriting: boolean;
}

export function PastedFlowcharts({ editor, isWriting }: Props) {
  const context = useEditorContext();
  const toasts = useToasts();
  const newest = useRef(context);
  newest.current = context;
  const { id } = context;
  useEffect(() => {
    if (!editor) return;
    return watchPastedFlowcharts(editor.view, (source) => {
      let withdraw = () => {};
      let isWithdrawn = false;
      const offer = (size: string) =>
        toasts.show({
          text: 'A Mermaid flowchart was pasted',
          detail: `It stands in the document as text. On the canvas it would be ${size}.`,
          action: {
            label: 'Draw it on the canvas',
            run: () => drawFlowchart(newest.current, toasts, source),
          },
          stays: true,
        });
      void readFlowchart(id, source).then(
        (flowchart) => {
          if (!isWithdrawn && flowchart.operations.length > 0) withdraw = offer(sizeOfFlowchart(flowchart));
        },
        // What cannot be drawn is not offered; it stays the text that was pasted.
        () => undefined,
      );
      return () => {
        isWithdrawn = true;
        withdraw();
      };
    });
  }, [editor, id, toasts]);
  const atCaret = () => (editor && isWriting ? flowchartAt(editor.view.state) : null);
  useCommands([
    {
      id: 'document.draw-flowchart',
      title: 'Draw the flowchart at the caret on the canvas',
      group: 'Document',
      icon: Workflow,
      words: 'mermaid block diagram nodes import',
      isEnabled: () => atCaret() !== null,
      run: () => {
        const source = atCaret();
        if (source !== null) drawFlowchart(context, toasts, source);
      },
    },
  ]);
  return null;
}

/** The source of the flowchart in whose block the caret stands; null for none. */
function flowchartAt(state: EditorState): string | null {
  const { head } = state.selection.main;
  for (let node = syntaxTree(state).resolveInner(head, -1); node.parent; node = node.parent)
    if (node.name === 'FencedCode') return flowchartOf(state.sliceDoc(node.from, node.to));
  return null;
}
