/**
 * Text that is pasted on the canvas and is no copy of ours: a file of another tool, or a chart of Mermaid of another kind, is
 * offered to the import, a flowchart is drawn, and of other texts a toast says what they are not. Read when something is pasted.
 */
import { pastedFile } from '../../model/imports/pasted';
import { flowchartOf } from '../../model/text/mermaidSource';
import { CHART } from '../../model/words/charts';
import type { EditorContext } from '../context/EditorContext';
import { filesToImport } from '../context/offeredFiles';
import type { Toasts } from '../ui/overlay/Toasts';
import { drawFlowchart } from './drawFlowchart';

export function pasteOther(context: EditorContext, toasts: Toasts, text: string): void {
  // First, since `graph {` begins a flowchart of Mermaid as well.
  const file = pastedFile(text);
  const flowchart = flowchartOf(text);
  const chart = flowchartOf(text, CHART);
  if (file) filesToImport.offer(context.id, [new File([file.text], file.name)]);
  else if (flowchart !== null) drawFlowchart(context, toasts, flowchart);
  else if (chart !== null) filesToImport.offer(context.id, [new File([chart], 'pasted.mmd')]);
  else
    toasts.show({
      text: 'Nothing was pasted',
      detail: text.trim()
        ? 'The clipboard holds text that is no part of a diagram.'
        : 'The clipboard is empty. Copy nodes first.',
    });
}
