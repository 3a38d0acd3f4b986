/**
 * Calls `finish` when a component is unmounted or the page is closed, for fields that save on blur: browsers fire no
 * blur then.
 */
import { useLayoutEffect, useRef } from 'react';

export function useFlushOnLeave(finish: () => void): void {
  const newest = useRef(finish);
  newest.current = finish;
  useLayoutEffect(() => {
    const leave = () => newest.current();
    // In the capture phase, before the connection persists what is pending.
    window.addEventListener('pagehide', leave, { capture: true });
    return () => {
      window.removeEventListener('pagehide', leave, { capture: true });
      // Layout effects are cleaned up before the connection is closed, also where the whole page is unmounted.
      leave();
    };
  }, []);
}
