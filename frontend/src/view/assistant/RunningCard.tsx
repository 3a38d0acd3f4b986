/** The card of a running request: its progress, its prepared operations, and a button to cancel. */
import { LoaderCircle, Square } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Turn } from '../../model/assistant/card';
import { plannedSentence } from '../../model/assistant/plannedSentences';
import { NO_PROGRESS, type RunProgress, spokenText } from '../../model/assistant/runProgress';
import { appliesNothing } from '../../model/assistant/workflows';
import { later } from '../ui/loading/later';
import { Prompt } from './cards/Prompt';
import { useAssistantActions } from './useAssistant';

// Seldom needed: most servers have no plugin that changes something.
const ApprovalQuestion = later(async () => (await import('./cards/ApprovalQuestion')).ApprovalQuestion);

export function RunningCard({ turn }: { turn: Turn }) {
  const { stop } = useAssistantActions();
  const [isStopping, setIsStopping] = useState(false);
  const { run, record, isMine } = turn;
  if (!isMine) return <OthersRunningCard turn={turn} />;
  const progress = turn.progress ?? NO_PROGRESS;
  const spoken = spokenText(progress);
  const isAsking = appliesNothing(record?.workflow);
  return (
    <article
      className="assistant-card"
      data-run={run}
      data-state="running"
      aria-label={`Working on: ${record?.prompt ?? ''}`}
      tabIndex={-1}
    >
      <Prompt turn={turn} />
      <div className="card running">
        <div className="running-head">
          <Spinner />
          <span className="card-state">Working…</span>
          <span className="running-facts">
            <Seconds since={record?.created_at} />
            {progress.tokens && ` · ${tokensOf(progress.tokens)}`}
          </span>
          <button
            type="button"
            className="button small"
            aria-label="Stop this request"
            disabled={isStopping}
            onClick={() => {
              setIsStopping(true);
              // After a failure it can be tried again.
              void stop(run).then(setIsStopping);
            }}
          >
            <Square size={11} strokeWidth={3} aria-hidden="true" /> {isStopping ? 'Stopping…' : 'Stop'}
          </button>
        </div>
        <p className="running-phase" role="status">
          {phaseOf(progress, isAsking)}
        </p>
        {progress.approval && (
          <ApprovalQuestion key={progress.approval.id} run={run} call={progress.approval} />
        )}
        {progress.operations.length > 0 && (
          <ol className="running-operations" aria-label="What it prepares">
            {progress.operations.map(({ index, what, op, isReady }) => (
              <li key={index} className="card-operation" data-index={index} data-ready={isReady}>
                {what ? plannedSentence(what) : op}
              </li>
            ))}
          </ol>
        )}
        {progress.alternatives.length > 0 && (
          <ol className="running-operations" aria-label="Alternatives so far">
            {progress.alternatives.map((title) => (
              <li key={title} className="card-operation" data-ready>
                {title}
              </li>
            ))}
          </ol>
        )}
        {spoken && <p className="running-text">{spoken}</p>}
        <ProgressDetails progress={progress} />
      </div>
    </article>
  );
}

/** Of the requests of others only their state is shown. */
function OthersRunningCard({ turn: { run, record } }: { turn: Turn }) {
  return (
    <article className="assistant-card" data-run={run} data-state="running" tabIndex={-1}>
      <div className="card running">
        <div className="running-head">
          <Spinner />
          <span>{record?.actor.name || 'Somebody'} is asking the assistant…</span>
          <span className="running-facts">
            <Seconds since={record?.created_at} />
          </span>
        </div>
        <p className="visually-hidden card-state">Working…</p>
      </div>
    </article>
  );
}

const Spinner = () => (
  <LoaderCircle className="running-wheel" size={16} strokeWidth={2.2} aria-hidden="true" />
);

/** Tools, thinking and refused attempts, folded. */
function ProgressDetails({ progress }: { progress: RunProgress }) {
  const { reads, thinking, refused, overtaken } = progress;
  const parts = [
    reads > 0 && `Looked up ${reads} ${reads === 1 ? 'thing' : 'things'}`,
    thinking && 'Thoughts',
    refused.length > 0 && 'Corrections',
    overtaken.length > 0 && 'Changed by others meanwhile',
  ].filter(Boolean);
  if (parts.length === 0) return null;
  return (
    <details className="running-more">
      <summary>{parts.join(' · ')}</summary>
      {thinking && <p className="running-thinking">{thinking}</p>}
      {refused.flatMap(({ problems }, at) =>
        problems.map(({ message }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they only grow at the end
          <p key={`${at} ${index}`}>Did not fit: {message}</p>
        )),
      )}
      {overtaken.map(({ what, why }) => (
        <p key={what}>
          {what}: {why}
        </p>
      ))}
    </details>
  );
}

function phaseOf(progress: RunProgress, isAsking: boolean): string {
  const { phase, waiting, isRetrying, operations, approval } = progress;
  if (approval) return 'Waiting for your yes…';
  if (isRetrying) return 'The connection broke; trying again…';
  if (waiting?.code === 'network') return 'The provider cannot be reached; trying again…';
  if (waiting) return `Waiting ${Math.ceil(waiting.seconds)} s: the provider is busy`;
  if (phase === 'commit') return isAsking ? 'Answering…' : 'Applying…';
  if (phase === 'propose') return 'Making a proposal…';
  if (operations.length > 0) return 'Preparing changes…';
  return phase === 'reading' ? 'Reading the workspace…' : 'Thinking…';
}

const tokensOf = ({ input, output }: { input: number; output: number }): string =>
  `${(input + output).toLocaleString('en')} tokens`;

/** Shown but not announced. */
function Seconds({ since }: { since: string | undefined }) {
  const [now, setNow] = useState(Date.now);
  const begun = since ? Date.parse(since) : now;
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return <>{Math.max(0, Math.floor((now - begun) / 1000))} s</>;
}
