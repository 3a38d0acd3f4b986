/**
 * Draws Mermaid flowcharts on the canvas: the server says which operations draw one, and they are sent as one batch like any
 * other edit. Everything drawn is new. Not here: which texts are flowcharts (`model/text/mermaidSource`).
 */
import { counted } from '../../model/words/kinds';
import { ApiError } from '../../protocol/http';
import type { Operation } from '../../protocol/live';
import { readFlowchart } from '../../protocol/mermaid';
import type { FlowchartOperations } from '../../protocol/types';
import type { EditorContext } from '../context/EditorContext';
import type { Message, Toasts } from '../ui/overlay/Toasts';

/** Lines that were not taken over, of which the reason is told. */
const TOLD = 2;

/** The last drawing: the next one is asked for when it is there, since both take ids that are free. */
let drawing = Promise.resolve();

export function drawFlowchart(context: EditorContext, toasts: Toasts, source: string): void {
  if (!context.access.isWritable) return void context.edit([]);
  drawing = drawing.then(() => draw(context, toasts, source));
}

async function draw(context: EditorContext, toasts: Toasts, source: string): Promise<void> {
  const { id, access, ui } = context;
  try {
    const flowchart = await readFlowchart(id, source);
    if (flowchart.operations.length === 0)
      return void toasts.show({ text: 'Nothing was drawn', detail: 'The flowchart is empty.' });
    const outcome = await context.edit(flowchart.operations as unknown as Operation[], 'Drawn from Mermaid');
    // Whatever did not fit, or waits as a draft, has been said.
    if (outcome?.kind !== 'committed' || access.isDraft) return;
    ui.show(outermost(flowchart), { pulse: true });
    const show = { label: 'Show it', run: () => ui.setMode('split') };
    toasts.show({ ...report(flowchart), ...(ui.get().mode === 'document' && { action: show }) });
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === null) toasts.showError(error);
    else toasts.show({ text: 'Nothing was drawn', detail: refusal });
  }
}

/** How much a flowchart draws, in words. */
export function sizeOfFlowchart({ operations, new_ids }: FlowchartOperations): string {
  const connections = operations.length - new_ids.length;
  return `${counted(new_ids.length, 'node')} and ${counted(connections, 'connection')}`;
}

function outermost({ operations }: FlowchartOperations): string[] {
  return operations.flatMap((one) => (one.op === 'add_node' && one.parent === undefined ? [one.id] : []));
}

function report(flowchart: FlowchartOperations): Message {
  const { namesakes, warnings } = flowchart;
  const parts = [
    ...(namesakes.length > 0
      ? [
          `${counted(namesakes.length, 'node is', 'nodes are')} called like one that was here, and new all the same.`,
        ]
      : []),
    ...warnings.slice(0, TOLD).map(({ message }) => message),
    ...(warnings.length > TOLD ? [`And ${counted(warnings.length - TOLD, 'more line')}.`] : []),
  ];
  return {
    text: `Drawn: ${sizeOfFlowchart(flowchart)}`,
    ...(parts.length > 0 && { detail: parts.join(' ') }),
  };
}

/** Why a text is not drawn; null for what has nothing to do with it. */
function refusalOf(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null;
  const isOfText = error.code === 'mermaid_unread' || error.code === 'limit_operations';
  return isOfText ? (error.problem.problems[0]?.message ?? error.problem.detail) : null;
}
