/** Names a checkpoint; asks before an old revision is restored. */
export function CheckpointDialog(_props: { onClose: () => void }) {
  return null;
}

export function RestoreDialog(_props: { revision: number; onClose: () => void }) {
  return null;
}
