/**
 * A component that is read when it is first drawn. As React's `lazy`, but it appears as soon as it is there: what a Suspense
 * boundary waits for is held back until 300 ms after the latest placeholder anywhere on the page.
 */
import { type ReactNode, useLayoutEffect, useState } from 'react';

export type Part<P> = (props: P) => ReactNode;

/** `waiting` is drawn until then, in the place of the component. Where `read` fails, the nearest error boundary is told. */
export function later<P extends object>(
  read: () => Promise<Part<P>>,
  waiting: ReactNode | Part<P> = null,
): Part<P> {
  let Known: Part<P> | null = null;
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
    if (Known) return <Known {...props} />;
    return typeof waiting === 'function' ? waiting(props) : waiting;
  };
}
