/** Dismisses a toast once the commit that it is about was undone in another way. */
import type { LiveClient } from '../../sync/client/client';

export function dismissWhenUndone(
  client: LiveClient,
  revision: number | null | undefined,
  dismiss: () => void,
): void {
  if (revision === null || revision === undefined) return;
  const leave = client.subscribe(({ commits }) => {
    const isBack = ({ kind, ref }: (typeof commits)[number]) =>
      (kind === 'undo' || kind === 'revert') && ref === revision;
    if (!commits.some(isBack)) return;
    leave();
    dismiss();
  });
}
