/**
 * Starts the tour when a workspace is opened for the first time in this browser, once the page is loaded; or on
 * request.
 */
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { hasSeenTour, rememberTour, subscribeToPreferences } from '../../sync/preferences';
import { useEditorContext, useUiState } from '../context/EditorContext';
import { useIsPhone } from '../ui/useMedia';
import { Tour } from './Tour';

export function TourHost() {
  const { access } = useEditorContext();
  const isWanted = !useSyncExternalStore(subscribeToPreferences, hasSeenTour);
  const isBusy = useUiState(({ dialog, viewed }) => dialog !== null || viewed !== null);
  const isPhone = useIsPhone();
  const [isOn, setIsOn] = useState(false);
  const mayShow = access.isTextWritable && !isPhone && !isBusy;
  const end = useCallback(() => setIsOn(false), []);
  useEffect(() => {
    if (!isWanted || !mayShow) return;
    // Once shown it never starts by itself again.
    rememberTour();
    setIsOn(true);
  }, [isWanted, mayShow]);
  return isOn && mayShow ? <Tour onEnd={end} /> : null;
}
