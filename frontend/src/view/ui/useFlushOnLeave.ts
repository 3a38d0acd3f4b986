/**
 * The last chance of a field that is being written in: it is taken off the page without having been left, or the page
 * itself goes. Browsers tell a field nothing then.
 */
import { useLayoutEffect, useRef } from 'react';

export function useFlushOnLeave(finish: () => void): void {
  const newest = useRef(finish);
  newest.current = finish;
  useLayoutEffect(() => {
    const leave = () => newest.current();
    // Before the connection hears of it, which keeps what there is by then.
    window.addEventListener('pagehide', leave, { capture: true });
    return () => {
      window.removeEventListener('pagehide', leave, { capture: true });
      // As a layout effect it is undone before the connection is closed, also where the whole page goes.
      leave();
    };
  }, []);
}
