/** What is in sight of diagram and document; on a phone one of them at a time. */
import type { ViewMode } from '../../sync/preferences';
import { useIsPhone } from '../ui/useMedia';
import { useUiState } from './EditorContext';

export function useShownMode(): ViewMode {
  const isPhone = useIsPhone();
  return useUiState(({ mode }) => (isPhone && mode === 'split' ? 'diagram' : mode));
}
