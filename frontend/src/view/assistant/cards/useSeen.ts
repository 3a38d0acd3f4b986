/** Whether something has come into sight: what is known only to the server is asked for then, not for a whole past. */
import { type RefObject, useEffect, useState } from 'react';

const AROUND = '200px';

export function useSeen(place: RefObject<Element | null>): boolean {
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (!element || isSeen) return;
    const eye = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setIsSeen(true);
      },
      { rootMargin: AROUND },
    );
    eye.observe(element);
    return () => eye.disconnect();
  }, [place, isSeen]);
  return isSeen;
}
