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
import { lazy, Suspense } from 'react';
import { type Card, type CardState, cardOf, type Turn } from '../../../model/assistant/card';
import { useAssistantActions } from '../useAssistant';
import { AppliedPart } from './AppliedPart';
import { Operations } from './Operations';
import { Prompt } from './Prompt';
import { ProposalPart } from './ProposalPart';
import { RepairedProblems } from './RepairedProblems';
import { RunCost } from './RunCost';
import { TroublePart } from './TroublePart';
import { useRestoreFocus } from './useRestoreFocus';
import { useRunResult } from './useRunResult';

// The Markdown renderer is shared with the document, which has loaded it by then.
const Answer = lazy(async () => ({ default: (await import('./Answer')).Answer }));

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

export function TurnCard({ turn }: { turn: Turn }) {
  const result = useRunResult(turn);
  const card = cardOf(turn, result);
  const { decided } = result;
  const open = card.state === 'proposed' && decided !== 'gone' ? decided : null;
  const isAnswer = card.state === 'answered';
  const kept = useRestoreFocus(card.state);
  return (
    <article className="assistant-card" data-run={turn.run} data-state={card.state} tabIndex={-1} {...kept}>
      <Prompt turn={turn} />
      <div className="card">
        <State card={card} />
        {card.said && (
          <Suspense fallback={<p className="card-answer">{card.said}</p>}>
            <Answer text={card.said} hasNames={isAnswer} />
          </Suspense>
        )}
        {card.reason && <p className="card-reason">{card.reason}</p>}
        {card.failure && (
          <TroublePart turn={turn} failure={card.failure}>
            {card.suggestions.length > 0 && <Suggestions of={card.suggestions} />}
          </TroublePart>
        )}
        {!card.failure && card.suggestions.length > 0 && <Suggestions of={card.suggestions} />}
        {card.state === 'proposed' ? (
          <ProposalPart key={turn.run} turn={turn} card={card} full={open} />
        ) : (
          <Operations operations={card.operations} />
        )}
        <AppliedPart card={card} undone={result.undone} />
        {isAnswer && card.tools.length > 0 && <Tools names={card.tools} />}
        <RepairedProblems turn={turn} card={card} />
        <RunCost turn={turn} />
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

const TOOL_WORDS: Readonly<Record<string, string>> = {
  find_nodes: 'Looked for nodes',
  find_text: 'Looked for text in the document',
  read_nodes: 'Read nodes',
  read_section: 'Read the document',
  neighbours: 'Looked at what is connected',
  paths: 'Followed paths',
  impact: 'Followed what depends on it',
  check_diagram: 'Checked the diagram',
};

function Tools({ names }: { names: readonly string[] }) {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return (
    <details className="card-fold card-tools">
      <summary>How it was found</summary>
      <ul>
        {[...counts].map(([name, count]) => (
          <li key={name}>
            {TOOL_WORDS[name] ?? name}
            {count > 1 && ` ${count} times`}
          </li>
        ))}
      </ul>
    </details>
  );
}
