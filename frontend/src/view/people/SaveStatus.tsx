/** Whether everything is saved, in an icon and a few words. */
import { CircleAlert, CircleCheck, CloudOff, LoaderCircle } from 'lucide-react';
import type { Status } from '../../sync/liveStatus';
import { useLive } from '../desk/Desk';

const ICONS: Record<Status['saving'], typeof CircleCheck> = {
  saved: CircleCheck,
  saving: LoaderCircle,
  offline: CloudOff,
  not_saving: CircleAlert,
};

export function SaveStatus() {
  const status = useLive((live) => live.status);
  const revision = useLive((live) => live.revision);
  const Icon = ICONS[status.saving];
  return (
    <p
      className={`save-status ${status.saving}`}
      role="status"
      data-testid="status"
      data-condition={status.saving}
      data-connection={status.connection}
      data-pending={status.pending}
      data-revision={revision}
      title={status.reason || undefined}
    >
      <Icon size={13} strokeWidth={2.2} aria-hidden="true" />
      <span>{wordsFor(status, revision)}</span>
    </p>
  );
}

function wordsFor({ saving, pending, connection }: Status, revision: number): string {
  const changes = pending === 1 ? 'one change is kept here' : `${pending} changes are kept here`;
  switch (saving) {
    case 'saved':
      return revision === 0 || connection === 'connecting' ? 'Opening…' : `Saved · revision ${revision}`;
    case 'saving':
      return 'Saving…';
    case 'offline':
      return pending > 0 ? `Offline · ${changes}` : 'Offline';
    default:
      return 'Not saving';
  }
}
