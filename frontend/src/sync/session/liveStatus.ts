/** Whether what a person does is seen and safe, in facts and in words. Pure. */

export interface Status {
  connection: 'connecting' | 'live' | 'offline' | 'closed';
  /** Writes that are not in the log, pieces of typing among them. */
  pending: number;
  saving: 'saved' | 'saving' | 'offline' | 'not_saving';
  /** What is wrong, in words; empty when all is well. */
  reason: string;
  /** What of that is about this browser: why what is not saved would be lost with the page; else empty. */
  risk: string;
}

/** What the status is judged by. */
export interface StatusInput {
  connection: Status['connection'];
  pending: number;
  /** Why the server takes no writes now; empty if it does. */
  refusing: string;
  /** Why the connection is gone; empty for no particular reason. */
  gone: string;
  /** What else a person should know, such as that nothing outlives the page. */
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
  // Before the first connection nothing has been taken away from anybody.
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
