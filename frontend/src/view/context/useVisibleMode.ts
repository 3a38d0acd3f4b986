/** The shown panes: diagram, document or both; on a phone one at a time. */
import type { ViewMode } from '../../sync/preferences';
import { useIsPhone } from '../ui/useMedia';
import { useUiState } from './EditorContext';

export function useVisibleMode(): ViewMode {
  const isPhone = useIsPhone();
  return useUiState(({ mode }) => (isPhone && mode === 'split' ? 'diagram' : mode));
}
