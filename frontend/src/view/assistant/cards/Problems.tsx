/** Reasons why something did not fit, each a sentence, with what may have been meant. */
import type { Problem } from '../../../protocol/types';

const MOST_CANDIDATES = 4;

export function Problems({ of }: { of: readonly Problem[] }) {
  return (
    <ul className="card-problems">
      {of.map((problem) => (
        <li key={`${problem.index} ${problem.path} ${problem.code}`}>
          {problem.message}
          {problem.candidates.length > 0 && (
            <span className="card-candidates">
              {' '}
              Perhaps {problem.candidates.slice(0, MOST_CANDIDATES).map(quoted).join(', ')}?
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

const quoted = (text: string): string => `“${text}”`;
