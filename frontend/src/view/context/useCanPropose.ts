/** Whether this person may propose changes of this workspace; whoever may change it may, too. */
import { accessOf } from '../../model/words/access';
import { useIsPhone } from '../ui/useMedia';
import { useLive } from './EditorContext';
import { IS_EMBEDDED } from './embedded';

export function useCanPropose(): boolean {
  const role = useLive((live) => live.role);
  const frozen = useLive((live) => live.frozen);
  return accessOf({ role, frozen, isPhone: useIsPhone(), isViewingOld: false, isEmbedded: IS_EMBEDDED })
    .isWritable;
}
