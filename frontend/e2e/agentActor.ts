/** An agent with what its person has copied for it: calls tools at the address and with the key of a snippet. */
import { expect } from 'vitest';

export interface AgentAt {
  url: string;
  key: string | null;
}

interface Result<T> {
  isError: boolean;
  structuredContent?: T;
  _meta: Record<string, unknown>;
}

/** What the command for Claude Code says. */
export function agentOf(command: string): AgentAt {
  const url = /\bdraftsmith '?(https?:\/\/\S+?)'?(?: --header|$)/.exec(command)?.[1];
  const key = /Authorization: Bearer ([^"]+)"/.exec(command)?.[1] ?? null;
  if (!url) throw new Error(`No address in: ${command}`);
  return { url, key };
}

/** Send a call; how it was answered, whatever that was. */
export async function sent({ url, key }: AgentAt, tool: string, given: object): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(key && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: tool, arguments: given },
    }),
  });
}

/** Call a tool that must answer; its structured content, or the facts beside an answer in words. */
export async function called<T>(agent: AgentAt, tool: string, given: object): Promise<T> {
  const response = await sent(agent, tool, given);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  const { result } = JSON.parse(text) as { result: Result<T> };
  expect(result.isError, text).toBe(false);
  return result.structuredContent ?? (result._meta['draftsmith/answer'] as T);
}
