/** Media queries as hooks: theme and width of the page. */
import { useSyncExternalStore } from 'react';
import { recallTheme, subscribeToPreferences } from '../../sync/preferences';

const DARK = '(prefers-color-scheme: dark)';
const WIDE = '(min-width: 1100px)';
// A narrow window with a mouse, or a page zoomed to 200 %, is no phone.
const PHONE = '(max-width: 759px) and (pointer: coarse), (max-width: 479px)';

/** Whether the page is dark now. */
export function useIsDark(): boolean {
  const isSystemDark = useMedia(DARK);
  const theme = useSyncExternalStore(subscribeToPreferences, recallTheme);
  return theme === 'system' ? isSystemDark : theme === 'dark';
}

/** Whether editor and preview fit side by side. */
export const useIsWide = (): boolean => useMedia(WIDE);

/** Whether the screen is too small for editing. */
export const useIsPhone = (): boolean => useMedia(PHONE);

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', onChange);
      return () => media.removeEventListener('change', onChange);
    },
    () => window.matchMedia(query).matches,
  );
}
