/** A turn of the conversation: the prompt, and a card with one state for everything that came of it. */
import '../../styles/assistant-cards.css';
import {
  Ban,
  CircleCheck,
  CircleDashed,
  CircleSlash,
  type LucideIcon,
  MessageSquareText,
  Undo2,
} from 'lucide-react';
import { useEffect, useState } from 'react';
import { isRecommendation } from '../../../model/assistant/alternatives';
import { type Card, type CardState, cardOf, type Turn } from '../../../model/assistant/card';
import { mayHaveCorrected, solvedProblems } from '../../../model/assistant/refusedParts';
import { NO_PROGRESS, type RunProgress, withEvent } from '../../../model/assistant/runProgress';
import type { RunStatus } from '../../../protocol/types';
import { useEditorContext } from '../../context/EditorContext';
import { later } from '../../ui/loading/later';
import { useAssistantActions } from '../useAssistant';
import { AppliedPart } from './AppliedPart';
import { FailurePart } from './FailurePart';
import { Operations } from './Operations';
import { Problems } from './Problems';
import { Prompt } from './Prompt';
import { ProposalPart } from './ProposalPart';
import { RefusedParts } from './RefusedParts';
import { RunCost } from './RunCost';
import { RunRating } from './RunRating';
import { ToolCalls } from './ToolCalls';
import { useRestoreFocus } from './useRestoreFocus';
import { useRunResult } from './useRunResult';

// The Markdown renderer is shared with the document, which has loaded it by then.
const Answer = later(
  async () => (await import('./Answer')).Answer,
  ({ text }) => <p className="card-answer">{text}</p>,
);

const Findings = later(async () => (await import('./Findings')).Findings);

const ICONS: Readonly<Record<CardState, LucideIcon>> = {
  running: CircleDashed,
  applied: CircleCheck,
  proposed: CircleDashed,
  'not-applied': CircleSlash,
  cancelled: Ban,
  undone: Undo2,
  'partly-undone': Undo2,
  answered: MessageSquareText,
};

const RecommendationCard = later(async () => (await import('./RecommendationCard')).RecommendationCard);

export function TurnCard({ turn }: { turn: Turn }) {
  if (!isRecommendation(turn)) return <PlainCard turn={turn} />;
  return <RecommendationCard turn={turn} />;
}

function PlainCard({ turn }: { turn: Turn }) {
  const result = useRunResult(turn);
  const card = cardOf(turn, result);
  const { decided } = result;
  const open = card.state === 'proposed' && decided !== 'gone' ? decided : null;
  const kept = useRestoreFocus(card.state);
  return (
    <article
      className="assistant-card"
      data-run={turn.run}
      data-state={card.state}
      data-refused={card.refused.length > 0 || undefined}
      tabIndex={-1}
      {...kept}
    >
      <Prompt turn={turn} />
      <div className="card">
        <State card={card} />
        <RefusedParts parts={card.refused} />
        <Message card={card} />
        {card.state === 'answered' && (card.findings || card.findingsRefused) && (
          <Findings turn={turn} findings={card.findings ?? []} refused={card.findingsRefused} />
        )}
        {card.reason && <p className="card-reason">{card.reason}</p>}
        {card.failure && (
          <FailurePart turn={turn} failure={card.failure}>
            {card.suggestions.length > 0 && <Suggestions of={card.suggestions} />}
          </FailurePart>
        )}
        {!card.failure && card.suggestions.length > 0 && <Suggestions of={card.suggestions} />}
        {card.state === 'proposed' ? (
          <ProposalPart key={turn.run} turn={turn} card={card} full={open} />
        ) : (
          <Operations operations={card.operations} />
        )}
        {card.leftOut.length > 0 && (
          <div className="card-left-out">
            <p>Left out</p>
            <Operations operations={card.leftOut} />
          </div>
        )}
        <AppliedPart card={card} undone={result.undone} />
        <ToolCalls turn={turn} card={card} />
        <RepairedProblems turn={turn} />
        <div className="card-foot">
          <RunCost turn={turn} />
          <RunRating turn={turn} />
        </div>
      </div>
    </article>
  );
}

function State({ card: { state, words, part } }: { card: Card }) {
  const Icon = ICONS[state];
  return (
    <p className="card-head">
      <Icon size={15} strokeWidth={2.2} aria-hidden="true" />
      <span className="card-state">{words}</span>
      {part && <span className="card-part">{part}</span>}
    </p>
  );
}

/** What the assistant said. Where part of it was refused or left out these are claims; the state above them is what is true. */
function Message({ card: { message, state, refused, leftOut } }: { card: Card }) {
  if (!message) return null;
  const answer = <Answer text={message} hasNames={state === 'answered'} />;
  if (refused.length + leftOut.length === 0) return answer;
  return (
    <figure className="card-claim">
      <figcaption>The assistant said</figcaption>
      <blockquote>{answer}</blockquote>
    </figure>
  );
}

/** Similar commands for one that was not understood: a click puts one into the field. */
function Suggestions({ of }: { of: readonly string[] }) {
  const { edit } = useAssistantActions();
  return (
    <div className="card-suggestions" role="group" aria-label="Nearest commands">
      <p>The nearest that would be understood:</p>
      {of.map((text) => (
        <button key={text} type="button" className="suggestion" onClick={() => edit(text)}>
          {text}
        </button>
      ))}
    </div>
  );
}

/** Runs that did not get to correct anything. */
const WITHOUT_REPAIRS: ReadonlySet<RunStatus> = new Set(['running', 'failed', 'cancelled']);

/**
 * Problems that were solved during a run: batches that were refused and corrected, and conflicts with commits of
 * others. A run that this page did not watch is read when this is expanded; its events are kept for 7 days.
 */
function RepairedProblems({ turn }: { turn: Turn }) {
  const { progress, record } = turn;
  const [isOpen, setIsOpen] = useState(false);
  const isWatched = progress?.end !== undefined && progress?.end !== null;
  const hasNone = isWatched && solvedProblems(progress).length + progress.overtaken.length === 0;
  // Built-in commands never retry, and a run that is no longer listed cannot be read. A failure names its own problems.
  if (hasNone || !record || record.provider === 'builtin' || WITHOUT_REPAIRS.has(record.status)) return null;
  if (!isWatched && !(record.outcome && mayHaveCorrected(record.outcome))) return null;
  return (
    <details className="card-fold card-repaired" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>What was repaired on the way</summary>
      {isWatched ? <Repairs progress={progress} /> : isOpen && <FetchedRepairs run={turn.run} />}
    </details>
  );
}

function FetchedRepairs({ run }: { run: string }) {
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
