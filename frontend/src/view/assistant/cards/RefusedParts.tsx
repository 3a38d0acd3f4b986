/** What of a request was refused and not corrected: what it was about, and why it did not fit. */
import type { RefusedPart } from '../../../model/assistant/refusedParts';
import { Problems } from './Problems';

export function RefusedParts({ parts }: { parts: readonly RefusedPart[] }) {
  if (parts.length === 0) return null;
  return (
    <div className="card-refused">
      <p className="card-refused-title">Not done</p>
      <ul>
        {parts.map(({ what, why, problems }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an outcome does not change any more
          <li key={index}>
            <p>
              <strong>{what}</strong> did not fit{why ? `: ${why}` : ':'}
            </p>
            {problems.length > 0 && <Problems of={problems} />}
          </li>
        ))}
      </ul>
    </div>
  );
}
