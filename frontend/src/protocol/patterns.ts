/** The calls of the API for architecture patterns. */
import { at, params } from './api';
import { ask } from './http';
import type { FilledPattern, Pattern } from './types';

/** All patterns by name; with words those that share some with them, best first. */
export async function listPatterns(q: string, signal?: AbortSignal): Promise<Pattern[]> {
  return (await ask<{ items: Pattern[] }>(`/patterns${params({ q: q || null })}`, { signal })).body.items;
}

/** The operations of a pattern for a selection, as the workspace is now; nothing is changed. */
export async function fillPattern(
  id: string,
  pattern: string,
  nodes: readonly string[],
  edges: readonly string[],
): Promise<FilledPattern> {
  const selected = [...nodes.map((one) => ['node', one]), ...edges.map((one) => ['edge', one])];
  const query = selected.length > 0 ? `?${new URLSearchParams(selected)}` : '';
  return (await ask<FilledPattern>(`${at(id)}/patterns/${pattern}${query}`)).body;
}
