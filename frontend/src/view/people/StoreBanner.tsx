/** The banner with the risks of the server's store, and what its operator can do. Loaded only where there is a risk. */
import { DatabaseZap } from 'lucide-react';
import { useState } from 'react';
import type { StoreRisk } from '../../protocol/live';

/** The risks that somebody has read, until the page is loaded again or others come. */
const seen = new Set<string>();

export function StoreBanner({ risks }: { risks: readonly StoreRisk[] }) {
  const codes = risks.map((risk) => risk.code).join(' ');
  const [, setCount] = useState(0);
  if (seen.has(codes)) return null;
  const understood = () => {
    seen.add(codes);
    setCount((count) => count + 1);
  };
  return (
    <div className="page-banner" data-banner="store-risk">
      <DatabaseZap size={16} strokeWidth={2} aria-hidden="true" />
      <p>
        <strong>Saved work is not as safe here as it could be.</strong>{' '}
        {risks.map((risk) => `${risk.detail} ${risk.remedy}`).join(' ')} This is for whoever runs the server;
        you can go on working.
      </p>
      <div className="page-banner-actions">
        <button type="button" className="button small" onClick={understood}>
          Understood
        </button>
      </div>
    </div>
  );
}
