/** The call of the API that reads Mermaid. */
import { at } from './api';
import { ask } from './http';
import type { FlowchartOperations } from './types';

/** The operations that draw a flowchart into a workspace as it is now; nothing is changed. */
export async function readFlowchart(id: string, text: string): Promise<FlowchartOperations> {
  return (await ask<FlowchartOperations>(`${at(id)}/mermaid`, { method: 'POST', body: { text } })).body;
}
