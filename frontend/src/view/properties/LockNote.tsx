/** The note why nothing can be changed here. */
import { Lock } from 'lucide-react';

export function LockNote({ reason }: { reason: string | null }) {
  if (!reason) return null;
  return (
    <p className="details-lock" role="note">
      <Lock size={13} strokeWidth={2.2} aria-hidden="true" />
      {reason}
    </p>
  );
}
