/**
 * Reads workspaces without asking twice for the same state.
 * Not here: when to read (the view's query), live updates.
 */
import { readWorkspace } from '../protocol/api';
import type { Workspace } from '../protocol/types';

/**
 * Remembers the newest state of each workspace together with its revision token.
 *
 * A read sends the token along; on "not modified" the very same object is given back, so that nothing is drawn anew.
 */
export class WorkspaceReader {
  private readonly newest = new Map<string, { etag: string | null; workspace: Workspace }>();

  async read(id: string, signal?: AbortSignal): Promise<Workspace> {
    const known = this.newest.get(id);
    const answer = await readWorkspace(id, known?.etag ?? null, signal);
    if (known && (answer.status === 304 || answer.body === undefined)) return known.workspace;
    if (answer.body === undefined) throw new Error('The server answered "not modified" to a first read.');
    this.newest.set(id, { etag: answer.etag, workspace: answer.body });
    return answer.body;
  }
}
