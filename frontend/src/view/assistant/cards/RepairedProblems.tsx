/**
 * Problems that were solved during a run: batches that were refused and corrected, and conflicts with commits of
 * others. A run that this page did not watch is read when this is expanded; its events are kept for 7 days.
 */
import { useEffect, useState } from 'react';
import type { Turn } from '../../../model/assistant/card';
import { mayHaveCorrected, solvedProblems } from '../../../model/assistant/refusedParts';
import { NO_PROGRESS, type RunProgress, withEvent } from '../../../model/assistant/runProgress';
import type { RunStatus } from '../../../protocol/types';
import { useEditorContext } from '../../context/EditorContext';
import { Problems } from './Problems';

/** Runs that did not get to correct anything. */
const UNREPAIRED: ReadonlySet<RunStatus> = new Set(['running', 'failed', 'cancelled']);

export function RepairedProblems({ turn }: { turn: Turn }) {
  const { progress, record } = turn;
  const [isOpen, setIsOpen] = useState(false);
  const isWatched = progress?.end !== undefined && progress?.end !== null;
  const isNothing = isWatched && solvedProblems(progress).length + progress.overtaken.length === 0;
  // Built-in commands never retry, and a run that is no longer listed cannot be read. A failure names its own problems.
  if (isNothing || !record || record.provider === 'builtin' || UNREPAIRED.has(record.status)) return null;
  if (!isWatched && !(record.outcome && mayHaveCorrected(record.outcome))) return null;
  return (
    <details className="card-fold card-repaired" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>What was repaired on the way</summary>
      {isWatched ? <Repairs progress={progress} /> : isOpen && <Read run={turn.run} />}
    </details>
  );
}

function Read({ run }: { run: string }) {
  const { client } = useEditorContext();
  const [progress, setProgress] = useState<RunProgress>(NO_PROGRESS);
  useEffect(
    () => client.watchRun(run, '0', (_, event) => setProgress((before) => withEvent(before, event))),
    [client, run],
  );
  if (progress.gone) return <p className="card-hint">{progress.gone.detail}</p>;
  if (!progress.end) return <p className="card-hint">Loading…</p>;
  return <Repairs progress={progress} />;
}

function Repairs({ progress }: { progress: RunProgress }) {
  const { overtaken } = progress;
  const solved = solvedProblems(progress);
  if (solved.length + overtaken.length === 0)
    return <p className="card-hint">Nothing had to be corrected.</p>;
  return (
    <>
      {solved.map((problems, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they only grow at the end
        <div key={index}>
          <p className="card-hint">A first try did not fit, and was corrected:</p>
          <Problems of={problems} />
        </div>
      ))}
      {overtaken.length > 0 && (
        <>
          <p className="card-hint">Others changed the same meanwhile:</p>
          <ul className="card-problems">
            {overtaken.map(({ what, why }) => (
              <li key={`${what} ${why}`}>
                {what}: {why}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
