/** The operations of a request, each as a sentence. Not here: those of a proposal, which can be selected. */
import type { CardOperation } from '../../../model/assistant/card';
import { counted } from '../../../model/words/kinds';

/** More of them are folded. */
const MAX = 8;

export function Operations({ operations }: { operations: readonly CardOperation[] }) {
  if (operations.length === 0) return null;
  const rest = operations.slice(MAX);
  return (
    <>
      <ul className="card-operations">{operations.slice(0, MAX).map(row)}</ul>
      {rest.length > 0 && (
        <details className="card-fold">
          <summary>{counted(rest.length, 'more operation', 'more operations')}</summary>
          <ul className="card-operations">{rest.map(row)}</ul>
        </details>
      )}
    </>
  );
}

const row = ({ index, what }: CardOperation) => (
  <li key={index} className="card-operation" data-index={index}>
    {what}
  </li>
);
