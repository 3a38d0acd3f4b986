/** The calls of the API that the assistant's part of the page makes. Events of runs come over the live connection. */
import { at, params } from './api';
import { ask } from './http';
import type { Operation } from './live';
import type {
  AcceptAnswer,
  AssistantState,
  ChangeSummary,
  Completion,
  NewRun,
  Plugin,
  Proposal,
  ProposalFull,
  Rating,
  Run,
  ServerLook,
  TalkList,
  TrialStep,
  Usage,
  WorkspaceSwitch,
} from './types';

export async function readAssistant(signal?: AbortSignal): Promise<AssistantState> {
  return (await ask<AssistantState>('/assistant', { signal })).body;
}

/** Tries the connection to a provider; a result of the last 30 seconds stands. */
export async function checkProvider(provider: string): Promise<AssistantState> {
  return (await ask<AssistantState>('/assistant/check', { method: 'POST', body: { provider } })).body;
}

/** Tried first, then kept on the server; it is never shown again. Without a provider, of the one that answers. */
export async function enterKey(key: string, provider?: string): Promise<AssistantState> {
  const body = { api_key: key, ...(provider && { provider }) };
  return (await ask<AssistantState>('/assistant/key', { method: 'PUT', body })).body;
}

export async function forgetKey(provider?: string): Promise<AssistantState> {
  const query = params({ provider: provider ?? null });
  return (await ask<AssistantState>(`/assistant/key${query}`, { method: 'DELETE' })).body;
}

/** Where the address of a server of models leads, and which models it lists. Nothing is kept. */
export async function lookAtServer(address: string, key: string): Promise<ServerLook> {
  const body = { address, ...(key && { api_key: key }) };
  return (await ask<ServerLook>('/assistant/server/look', { method: 'POST', body })).body;
}

/** Tried first, then kept on the server. Without a key, the one that is kept for this address is used. */
export async function enterServer(address: string, model: string, key: string): Promise<AssistantState> {
  const body = { address, model, ...(key && { api_key: key }) };
  return (await ask<AssistantState>('/assistant/server', { method: 'PUT', body })).body;
}

/** Makes one step of trying the server that is kept; it may take a minute and a half. */
export async function tryServer(step: TrialStep, signal: AbortSignal): Promise<AssistantState> {
  return (await ask<AssistantState>('/assistant/server/trials', { method: 'POST', body: { step }, signal }))
    .body;
}

export async function forgetServer(): Promise<AssistantState> {
  return (await ask<AssistantState>('/assistant/server', { method: 'DELETE' })).body;
}

/** What has been used on this server in the last days, today among them. */
export async function readUsage(days: number, signal?: AbortSignal): Promise<Usage> {
  return (await ask<Usage>(`/usage${params({ days })}`, { signal })).body;
}

/** Whether the assistant may be used in a workspace, and how models edit there. */
export async function readSwitch(id: string, signal?: AbortSignal): Promise<WorkspaceSwitch> {
  return (await ask<WorkspaceSwitch>(`${at(id)}/assistant`, { signal })).body;
}

/** What is left out stays. */
export async function setSwitch(id: string, change: Partial<WorkspaceSwitch>): Promise<WorkspaceSwitch> {
  return (await ask<WorkspaceSwitch>(`${at(id)}/assistant`, { method: 'PATCH', body: change })).body;
}

/** The same `id` is the same run, however often it is sent. */
export async function startRun(id: string, run: NewRun): Promise<Run> {
  return (await ask<Run>(`${at(id)}/runs`, { method: 'POST', body: run })).body;
}

export async function readRun(id: string, run: string, signal?: AbortSignal): Promise<Run> {
  return (await ask<Run>(`${at(id)}/runs/${run}`, { signal })).body;
}

/** The newest runs of a workspace; they are kept for 7 days. */
export async function listRuns(id: string, limit: number, signal?: AbortSignal): Promise<Run[]> {
  return (await ask<{ items: Run[] }>(`${at(id)}/runs${params({ limit })}`, { signal })).body.items;
}

export async function cancelRun(id: string, run: string): Promise<Run> {
  return (await ask<Run>(`${at(id)}/runs/${run}/cancel`, { method: 'POST' })).body;
}

/** Whether a call of a plugin that waits for it may be made; the first answer counts. */
export async function answerApproval(
  id: string,
  run: string,
  approval: string,
  allow: boolean,
): Promise<Run> {
  const address = `${at(id)}/runs/${run}/approvals/${approval}`;
  return (await ask<Run>(address, { method: 'POST', body: { allow } })).body;
}

/** The plugins that are registered on this server, with their health. */
export async function listPlugins(signal?: AbortSignal): Promise<Plugin[]> {
  return (await ask<{ items: Plugin[] }>('/plugins', { signal })).body.items;
}

/** What the person who asked thinks of a run that is over; null takes it back. */
export async function rateRun(id: string, run: string, rating: Rating | null): Promise<Run> {
  return (await ask<Run>(`${at(id)}/runs/${run}/rating`, { method: 'PUT', body: { rating } })).body;
}

/** A page of the conversation, newest first. */
export async function listConversation(
  id: string,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<TalkList> {
  return (await ask<TalkList>(`${at(id)}/conversation${params({ cursor, limit: 20 })}`, { signal })).body;
}

export async function clearConversation(id: string): Promise<void> {
  await ask(`${at(id)}/conversation`, { method: 'DELETE' });
}

/** What changed after a revision, in a few sentences. A model that fails is an answer, too. */
export async function tellChanges(
  id: string,
  since: number,
  provider: string | undefined,
  signal: AbortSignal,
): Promise<ChangeSummary> {
  const body = { since, ...(provider && { provider }) };
  return (await ask<ChangeSummary>(`${at(id)}/history/summary`, { method: 'POST', body, signal })).body;
}

/** How a built-in command may go on from here. */
export async function listCompletions(
  id: string,
  text: string,
  isAsking: boolean,
  signal?: AbortSignal,
): Promise<Completion[]> {
  const query = params({ text, ask: isAsking });
  return (await ask<{ items: Completion[] }>(`${at(id)}/completions${query}`, { signal })).body.items;
}

/** All that are kept, newest first. */
export async function listProposals(id: string, signal?: AbortSignal): Promise<Proposal[]> {
  return (await ask<{ items: Proposal[] }>(`${at(id)}/proposals`, { signal })).body.items;
}

/** What is proposed without asking the assistant; sent again under the same id, it is the same proposal. */
export interface Suggestion {
  id: string;
  operations: readonly Operation[];
  explanation: string;
  base_revision?: number;
}

export async function suggest(id: string, suggestion: Suggestion): Promise<ProposalFull> {
  const body = { ...suggestion, propose: true };
  return (await ask<ProposalFull>(`${at(id)}/batches`, { method: 'POST', body })).body;
}

export async function readProposal(
  id: string,
  proposal: string,
  signal?: AbortSignal,
): Promise<ProposalFull> {
  return (await ask<ProposalFull>(`${at(id)}/proposals/${proposal}`, { signal })).body;
}

/** Accept all of a proposal, or some operations with what they build on; tried only, the answer says what would be. */
export async function acceptProposal(
  id: string,
  proposal: string,
  { operations, isTried = false }: { operations?: readonly number[]; isTried?: boolean },
  signal?: AbortSignal,
): Promise<AcceptAnswer> {
  const body = { ...(operations && { operations }), dry_run: isTried };
  const address = `${at(id)}/proposals/${proposal}/accept`;
  return (await ask<AcceptAnswer>(address, { method: 'POST', body, signal })).body;
}

export async function rejectProposal(id: string, proposal: string): Promise<ProposalFull> {
  return (await ask<ProposalFull>(`${at(id)}/proposals/${proposal}/reject`, { method: 'POST' })).body;
}
