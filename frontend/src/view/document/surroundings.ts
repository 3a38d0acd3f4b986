/** What the halves of the document need to know of the page: theme, width, a text that has come to rest. */
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { recallTheme, watchChoices } from '../../sync/preferences';

const DARK = '(prefers-color-scheme: dark)';
const WIDE = '(min-width: 1100px)';

/** Whether the page is dark now. */
export function useIsDark(): boolean {
  const isSystemDark = useMedia(DARK);
  const theme = useSyncExternalStore(watchChoices, recallTheme);
  return theme === 'system' ? isSystemDark : theme === 'dark';
}

/** Whether both halves have room beside each other. */
export const useIsWide = (): boolean => useMedia(WIDE);

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

const REST_MS = 120;

/** A value that follows another one in steps, so that what is made of it is made now and then, not for every key. */
export function useRested<T>(value: T): T {
  const [rested, setRested] = useState(value);
  const newest = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(() => {
    newest.current = value;
    timer.current ??= setTimeout(() => {
      timer.current = null;
      setRested(newest.current);
    }, REST_MS);
  }, [value]);
  useEffect(
    () => () => {
      if (timer.current) clearTimeout(timer.current);
      timer.current = null;
    },
    [],
  );
  return rested;
}
