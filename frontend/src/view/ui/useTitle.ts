import { useEffect } from 'react';

/** Name the page in the browser's tab. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} · Draftsmith` : 'Draftsmith';
  }, [title]);
}
