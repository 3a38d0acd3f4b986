/**
 * A part of the page that is loaded on first use, or before by whoever calls `load`, and is used by a hook: for what is no
 * component, or for who waits in another way than by a placeholder. Components are loaded by `later`.
 */
import { useEffect, useState } from 'react';
import { untilLoaded } from './untilLoaded';

export interface LaterPart<T> {
  load: () => Promise<T>;
  /**
   * The part, loaded when needed; null until then, also where others have loaded it meanwhile: what stands in for it is
   * exchanged on request, not while it has the focus or is being pressed.
   */
  usePart: (isNeeded: boolean) => T | null;
}

export function laterPart<T>(read: () => Promise<T>): LaterPart<T> {
  let known: T | null = null;
  const load = async () => {
    known ??= await read();
    return known;
  };
  const usePart = (isNeeded: boolean) => {
    const [isLoaded, setIsLoaded] = useState(known !== null);
    useEffect(() => {
      if (!isNeeded || isLoaded) return;
      let isHere = true;
      void untilLoaded(load).then(
        () => isHere && setIsLoaded(true),
        () => undefined, // Asked for again when it is needed again.
      );
      return () => {
        isHere = false;
      };
    }, [isNeeded, isLoaded]);
    return isNeeded || isLoaded ? known : null;
  };
  return { load, usePart };
}
