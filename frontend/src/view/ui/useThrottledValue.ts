import { useEffect, useRef, useState } from 'react';

const INTERVAL_MS = 120;

/** The value, updated at most once per interval, so that what depends on it is not computed for every key. */
export function useThrottledValue<T>(value: T): T {
  const [throttled, setThrottled] = useState(value);
  const newest = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(() => {
    newest.current = value;
    timer.current ??= setTimeout(() => {
      timer.current = null;
      setThrottled(newest.current);
    }, INTERVAL_MS);
  }, [value]);
  useEffect(
    () => () => {
      if (timer.current) clearTimeout(timer.current);
      timer.current = null;
    },
    [],
  );
  return throttled;
}
