/**
 * Loads parts of the page after its first view. Each part is read once, when it is first drawn or used.
 *
 * `later` and `laterInBackground` make a component of a part, `laterPart` a hook. Not here: when the browser is idle
 * (`whenIdle.ts`), and what is typed for a part that is still being loaded (`TypedAhead.tsx`).
 */
import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react';

const AGAIN_MS = 5000;
const TRIES = 12;

/** Tries again for a minute, as the server may be away; after that the file may be gone for good. */
export function untilLoaded<T>(read: () => Promise<T>, tries = TRIES): Promise<T> {
  return read().catch((error: unknown) => {
    if (tries === 1) throw error;
    return new Promise((resolve) => setTimeout(resolve, AGAIN_MS)).then(() => untilLoaded(read, tries - 1));
  });
}

/** A part that is read once; `known` is null until then, and a failed read is repeated by the next call of `load`. */
export function loader<T>(read: () => Promise<T>) {
  const self = {
    known: null as T | null,
    load: async (): Promise<T> => {
      self.known ??= await read();
      return self.known;
    },
  };
  return self;
}

export type Part<P> = (props: P) => ReactNode;

/**
 * A component that is read when it is first drawn. As React's `lazy`, but it appears as soon as it is there: what a Suspense
 * boundary waits for is held back until 300 ms after the latest placeholder anywhere on the page.
 *
 * `waiting` is drawn until then, in the place of the component. Where `read` fails, the nearest error boundary is told.
 */
export function later<P extends object>(
  read: () => Promise<Part<P>>,
  waiting: ReactNode | Part<P> = null,
): Part<P> {
  const part = loader(read);
  return function Later(props: P) {
    const [outcome, setOutcome] = useState<{ error: unknown } | 'read' | null>(null);
    useLayoutEffect(() => {
      if (part.known) return;
      let isHere = true;
      part.load().then(
        () => isHere && setOutcome('read'),
        (error: unknown) => isHere && setOutcome({ error }),
      );
      return () => {
        isHere = false;
      };
    }, []);
    if (outcome && outcome !== 'read') throw outcome.error;
    if (part.known) return <part.known {...props} />;
    return typeof waiting === 'function' ? waiting(props) : waiting;
  };
}

/** The same for what nobody has opened, such as the pointers of others: while the server is away the page goes on without it. */
export const laterInBackground = <P extends object>(
  read: () => Promise<Part<P>>,
  waiting: ReactNode | Part<P> = null,
): Part<P> => later(() => untilLoaded(read), waiting);

export interface LaterPart<T> {
  load: () => Promise<T>;
  /**
   * The part, loaded when needed; null until then, also where others have loaded it meanwhile: what stands in for it is
   * exchanged on request, not while it has the focus or is being pressed.
   */
  usePart: (isNeeded: boolean) => T | null;
}

/** A part that is used by a hook: for what is no component, or for who waits in another way than by a placeholder. */
export function laterPart<T>(read: () => Promise<T>): LaterPart<T> {
  const part = loader(read);
  const usePart = (isNeeded: boolean) => {
    const [isLoaded, setIsLoaded] = useState(part.known !== null);
    useEffect(() => {
      if (!isNeeded || isLoaded) return;
      let isHere = true;
      void untilLoaded(part.load).then(
        () => isHere && setIsLoaded(true),
        () => undefined, // Asked for again when it is needed again.
      );
      return () => {
        isHere = false;
      };
    }, [isNeeded, isLoaded]);
    return isNeeded || isLoaded ? part.known : null;
  };
  return { load: part.load, usePart };
}
