/**
 * What this person may do in the newest state of the workspace: change it, propose changes, ask the assistant. It holds
 * while an old revision is viewed as well, since restoring that is a change.
 */
import { type Access, accessOf } from '../../model/words/access';
import { useIsPhone } from '../ui/useMedia';
import { useLive } from './EditorContext';
import { IS_EMBEDDED } from './embedded';

/** Whether they may change it. */
export const useCanChange = (): boolean => useAccessToNewest().isTextWritable;

/** Whether they may propose changes; whoever may change it may, too. */
export const useCanPropose = (): boolean => useAccessToNewest().isWritable;

/** Whether they may ask the assistant; where something is only shown, or the screen is small, too. */
export const useCanAsk = (): boolean =>
  useLive(({ role }) => role !== null && role !== 'viewer') && !IS_EMBEDDED;

function useAccessToNewest(): Access {
  const role = useLive((live) => live.role);
  const frozen = useLive((live) => live.frozen);
  return accessOf({ role, frozen, isPhone: useIsPhone(), isViewingOld: false, isEmbedded: IS_EMBEDDED });
}
