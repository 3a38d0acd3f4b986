/**
 * A component that is read when it is first drawn, for what a page opens with. As React's `lazy`, but it appears as soon as it
 * is there: what a Suspense boundary waits for is held back until 300 ms after the latest fallback anywhere on the page.
 */
import { type ComponentType, type ReactNode, useLayoutEffect, useState } from 'react';

/** `waiting` is drawn until then. Where `read` fails, the nearest error boundary is told. */
export function later<P extends object>(
  read: () => Promise<ComponentType<P>>,
  waiting: ReactNode,
): ComponentType<P> {
  let Known: ComponentType<P> | null = null;
  return function Later(props: P) {
    const [outcome, setOutcome] = useState<{ error: unknown } | 'read' | null>(null);
    useLayoutEffect(() => {
      if (Known) return;
      let isHere = true;
      read().then(
        (part) => {
          Known = part;
          if (isHere) setOutcome('read');
        },
        (error: unknown) => isHere && setOutcome({ error }),
      );
      return () => {
        isHere = false;
      };
    }, []);
    if (outcome && outcome !== 'read') throw outcome.error;
    return Known ? <Known {...props} /> : waiting;
  };
}
