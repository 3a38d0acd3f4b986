/** What is in sight of diagram and document; on a phone one of them at a time. */
import type { ViewMode } from '../../sync/preferences';
import { useDeskState } from '../desk/Desk';
import { useIsPhone } from './useIsPhone';

export function useShownMode(): ViewMode {
  const isPhone = useIsPhone();
  return useDeskState(({ mode }) => (isPhone && mode === 'split' ? 'diagram' : mode));
}
