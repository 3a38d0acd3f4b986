/** Whether local changes are shown and saved, as values and in words. Pure. */

export interface Status {
  connection: 'connecting' | 'live' | 'offline' | 'closed';
  /** Writes that are not in the log, pieces of typing included. */
  pending: number;
  saving: 'saved' | 'saving' | 'offline' | 'not_saving';
  /** What is wrong, in words; empty when all is well. */
  reason: string;
  /** The part of it about this browser: why unsaved changes would be lost with the page; else empty. */
  risk: string;
}

/** Input of `statusOf`. */
export interface StatusInput {
  connection: Status['connection'];
  pending: number;
  /** Why the server accepts no writes now; empty if it does. */
  refusing: string;
  /** Why the connection is closed; empty for no particular reason. */
  gone: string;
  /** Anything else a person should know, such as that storage is not available. */
  notice: string;
}

export function statusOf({ connection, pending, refusing, gone, notice }: StatusInput): Status {
  const saving = savingOf(connection, pending, refusing);
  return { connection, pending, saving, reason: reasonOf(), risk: notice };

  function reasonOf(): string {
    const reasons: string[] = [];
    if (connection === 'offline') reasons.push(gone || 'Offline, trying again.');
    else if (connection === 'closed') reasons.push(gone);
    else if (refusing) reasons.push(`Not saving: ${refusing}`);
    if (pending > 0 && connection !== 'live') {
      reasons.push(pending === 1 ? 'One change is kept here.' : `${pending} changes are kept here.`);
    }
    return [...reasons, notice].filter((words) => words !== '').join(' ');
  }
}

function savingOf(connection: Status['connection'], pending: number, refusing: string): Status['saving'] {
  if (connection === 'live' && refusing) return 'not_saving';
  if (connection === 'live') return pending > 0 ? 'saving' : 'saved';
  // Before the first connection nothing was lost.
  return connection === 'connecting' && pending === 0 ? 'saved' : 'offline';
}

export function isSameStatus(one: Status, other: Status): boolean {
  return (
    one.connection === other.connection &&
    one.pending === other.pending &&
    one.saving === other.saving &&
    one.reason === other.reason &&
    one.risk === other.risk
  );
}
