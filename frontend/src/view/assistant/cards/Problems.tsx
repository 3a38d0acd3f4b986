/** Problems, each as a sentence, with suggestions. */
import type { Problem } from '../../../protocol/types';

const MAX_CANDIDATES = 4;

export function Problems({ of }: { of: readonly Problem[] }) {
  return (
    <ul className="card-problems">
      {of.map((problem) => (
        <li key={`${problem.index} ${problem.path} ${problem.code}`}>
          {problem.message}
          {isNew(problem) && (
            <span className="card-candidates">
              {' '}
              Perhaps {problem.candidates.slice(0, MAX_CANDIDATES).map(quoted).join(', ')}?
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Whether the suggestion is not in the sentence already. */
const isNew = ({ message, candidates: [first] }: Problem): boolean =>
  first !== undefined && !message.includes(first);

const quoted = (text: string): string => `“${text}”`;
