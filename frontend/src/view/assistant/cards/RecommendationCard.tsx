/**
 * The card of a request that recommends: its alternatives below each other, each with what speaks for it and against it
 * and a preview of its own, of which one is shown. Accepting one withdraws the others.
 */
import '../../styles/alternatives.css';
import { ListChecks, ThumbsDown, ThumbsUp } from 'lucide-react';
import { useId, useMemo } from 'react';
import {
  type AlternativeName,
  alternativesOf,
  openAlternatives,
  turnOfAlternative,
} from '../../../model/assistant/alternatives';
import { type Card, cardOf, type Turn } from '../../../model/assistant/card';
import { useLive } from '../../context/EditorContext';
import { Answer } from './Answer';
import { AppliedPart } from './AppliedPart';
import { Operations } from './Operations';
import { Prompt } from './Prompt';
import { ProposalPart } from './ProposalPart';
import { RefusedParts } from './RefusedParts';
import { RunCost } from './RunCost';
import { RunRating } from './RunRating';
import { ToolCalls } from './ToolCalls';
import { useRestoreFocus } from './useRestoreFocus';
import { useRunResult } from './useRunResult';

const UNREAD = { decided: null, undone: null };

export function RecommendationCard({ turn }: { turn: Turn }) {
  const proposals = useLive((live) => live.proposals);
  const card = cardOf(turn, UNREAD);
  const alternatives = alternativesOf(turn, proposals);
  const isOpen = openAlternatives(turn, proposals).length > 0;
  const kept = useRestoreFocus(isOpen ? 'proposed' : 'answered');
  return (
    <article
      className="assistant-card"
      data-run={turn.run}
      data-state={isOpen ? 'proposed' : 'decided'}
      tabIndex={-1}
      {...kept}
    >
      <Prompt turn={turn} />
      <div className="card recommendation">
        <p className="card-head">
          <ListChecks size={15} strokeWidth={2.2} aria-hidden="true" />
          <span className="card-state">{wordsOf(isOpen, alternatives.length)}</span>
        </p>
        <RefusedParts parts={card.refused} />
        {card.message && <Answer text={card.message} hasNames={false} />}
        {alternatives.map((one, index) => (
          <Alternative
            key={one.id}
            turn={turn}
            name={one}
            isFirst={index === 0}
            isAlone={alternatives.length === 1}
          />
        ))}
        <ToolCalls turn={turn} card={card} />
        <div className="card-foot">
          <RunCost turn={turn} />
          <RunRating turn={turn} />
        </div>
      </div>
    </article>
  );
}

function wordsOf(isOpen: boolean, count: number): string {
  if (!isOpen) return count === 0 ? 'No longer open' : 'Decided';
  return count === 1 ? 'One alternative' : `Choose one of ${count}`;
}

interface Props {
  turn: Turn;
  name: AlternativeName;
  /** The first is previewed without being asked for. */
  isFirst: boolean;
  isAlone: boolean;
}

function Alternative({ turn, name, isFirst, isAlone }: Props) {
  const proposals = useLive((live) => live.proposals);
  const own = useMemo(() => turnOfAlternative(turn, name.id, proposals), [turn, name.id, proposals]);
  const result = useRunResult(own);
  const { decided } = result;
  const full = decided === 'gone' ? null : decided;
  const card = cardOf(own, result);
  const titleId = useId();
  const texts = full ?? own.proposal;
  return (
    <section
      className="alternative"
      data-alternative={name.id}
      data-state={card.state}
      aria-labelledby={titleId}
    >
      <h3 id={titleId}>{name.title}</h3>
      {card.state !== 'proposed' && <p className="alternative-state">{stateOf(card)}</p>}
      {texts && <p className="alternative-summary">{texts.summary}</p>}
      {texts?.alternative && (
        <div className="alternative-sides">
          <Side kind="gains" title="For" items={texts.alternative.gains} />
          <Side kind="costs" title="Against" items={texts.alternative.costs} />
        </div>
      )}
      {card.state === 'proposed' ? (
        <ProposalPart
          turn={turn}
          card={card}
          full={full}
          isPreviewed={turn.isMine && isFirst}
          accept={isAlone ? undefined : 'Accept this one'}
        />
      ) : (
        card.revision !== null && (
          <>
            <Operations operations={card.operations} />
            <AppliedPart card={card} undone={result.undone} />
          </>
        )
      )}
    </section>
  );
}

const stateOf = (card: Card): string =>
  [card.words, card.part, card.failure?.sentence].filter(Boolean).join(' · ');

function Side({ kind, title, items }: { kind: 'gains' | 'costs'; title: string; items: readonly string[] }) {
  const Icon = kind === 'gains' ? ThumbsUp : ThumbsDown;
  return (
    <div className="alternative-side" data-side={kind}>
      <h4>
        <Icon size={12} strokeWidth={2.2} aria-hidden="true" /> {title}
      </h4>
      <ul>
        {items.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  );
}
