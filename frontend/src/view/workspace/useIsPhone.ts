/** Whether the screen is so small that nothing can be edited on it sensibly. */
import { useSyncExternalStore } from 'react';

const PHONE = '(max-width: 759px)';

export function useIsPhone(): boolean {
  return useSyncExternalStore(subscribe, () => window.matchMedia(PHONE).matches);
}

function subscribe(onChange: () => void): () => void {
  const query = window.matchMedia(PHONE);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}
