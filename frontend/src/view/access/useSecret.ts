/** The secret that stands in the address after `#`, where no server and no log sees it. */
import { useEffect, useState } from 'react';

/**
 * The secret of the address that the page was opened with; empty for none. It is taken out of the address, where it would
 * stay in the history of the browser: only once the page is drawn, since a drawing that is given up begins anew.
 */
export function useSecret(): string {
  const [secret] = useState(() => window.location.hash.slice(1));
  useEffect(() => {
    if (window.location.hash)
      window.history.replaceState(
        window.history.state,
        '',
        window.location.pathname + window.location.search,
      );
  }, []);
  return secret;
}
