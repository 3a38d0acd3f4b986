/** Whether this person may change the workspace, also while an old revision is shown: restoring it is a change. */
import { accessOf } from '../../model/words/access';
import { useIsPhone } from '../ui/useMedia';
import { useLive } from './EditorContext';
import { IS_EMBEDDED } from './embedded';

export function useCanChange(): boolean {
  const role = useLive((live) => live.role);
  const frozen = useLive((live) => live.frozen);
  return accessOf({ role, frozen, isPhone: useIsPhone(), isViewingOld: false, isEmbedded: IS_EMBEDDED })
    .isTextWritable;
}
