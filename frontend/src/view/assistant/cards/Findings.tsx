/**
 * The findings of an answer: each leads to its node, connection, section or change, says why it matters with a quote,
 * and can become a proposal. What was deleted since says so.
 */
import { FileText, History, type LucideIcon, PencilRuler, Spline, Square } from 'lucide-react';
import { statusOf, type Turn } from '../../../model/assistant/card';
import {
  type FindingState,
  findingFocus,
  findingName,
  findingState,
  KIND_WORDS,
  passageOf,
  passageState,
} from '../../../model/assistant/findings';
import { isModel } from '../../../model/assistant/provider';
import { onlyReads } from '../../../model/assistant/workflows';
import type { Finding } from '../../../protocol/types';
import { useEditorContext, useLive } from '../../context/EditorContext';
import { useCanPropose } from '../../context/useCanChange';
import { useAssistantActions, useAssistantPart } from '../useAssistant';
import { useReveal } from './useReveal';

const ICONS: Readonly<Record<Finding['kind'], LucideIcon>> = {
  node: Square,
  edge: Spline,
  section: FileText,
  commit: History,
};

interface Props {
  turn: Turn;
  findings: readonly Finding[];
  /** Why what was reported last was not taken; else empty. */
  refused: string;
}

export function Findings({ turn, findings, refused }: Props) {
  const propose = usePropose(turn);
  return (
    <section className="card-findings" aria-label="Findings">
      <p className="card-findings-title">{titleOf(findings.length, refused)}</p>
      {findings.length > 0 && (
        <ol>
          {findings.map((finding, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an outcome does not change any more
            <Row key={index} finding={finding} onPropose={propose && (() => propose(index, finding))} />
          ))}
        </ol>
      )}
      {refused && (
        <p className="card-hint">
          What the assistant reported {findings.length > 0 ? 'last ' : ''}could not be looked up and is left
          out.
        </p>
      )}
    </section>
  );
}

const titleOf = (count: number, refused: string): string => {
  if (count > 0) return count === 1 ? '1 finding' : `${count} findings`;
  return refused ? 'No finding that holds' : 'No findings';
};

function Row({ finding, onPropose }: { finding: Finding; onPropose: (() => void) | null }) {
  const { kind, section, evidence, why } = finding;
  const { client } = useEditorContext();
  const state = useLive(() => findingState(finding, client.view));
  const quote = useLive(() =>
    section === '' && kind !== 'section' ? 'there' : passageState(finding, client.view.text),
  );
  const { showNodes, showEdge, showPassage } = useReveal();
  const { ui } = useEditorContext();
  const Icon = ICONS[kind];
  const name = findingName(finding);
  const place = quote === 'there' ? titleIn(section) : `${titleIn(section)} (${STATE_WORDS[quote]})`;
  const showQuote = () => showPassage(passageOf(finding, client.view.text));
  const show = () => {
    if (kind === 'node') showNodes([finding.id]);
    else if (kind === 'edge') showEdge(finding.id);
    else if (kind === 'section') showQuote();
    else ui.set({ viewed: lookAt(Number(finding.id)) });
  };
  return (
    <li data-kind={kind} data-state={state}>
      <button type="button" className="finding-name" disabled={state === 'gone'} onClick={show}>
        <Icon size={14} strokeWidth={2} aria-hidden="true" />
        <span className="visually-hidden">{KIND_WORDS[kind]} </span>
        <span>{name}</span>
      </button>
      <Mark state={state} kind={kind} />
      <p>{why}</p>
      <blockquote>
        {evidence}
        {kind !== 'section' && section !== '' && (
          <button
            type="button"
            className="finding-quote"
            aria-label={`${place}: show the quote`}
            disabled={quote === 'gone'}
            onClick={showQuote}
          >
            {place}
          </button>
        )}
      </blockquote>
      {onPropose && (
        <button
          type="button"
          className="button small"
          aria-label={`Propose a change for: ${name}`}
          onClick={onPropose}
        >
          <PencilRuler size={13} strokeWidth={2} aria-hidden="true" /> Propose a change
        </button>
      )}
    </li>
  );
}

function Mark({ state, kind }: { state: FindingState; kind: Finding['kind'] }) {
  if (state === 'there') return null;
  return <span className="finding-mark">{kind === 'section' ? STATE_WORDS[state] : 'deleted since'}</span>;
}

const STATE_WORDS: Readonly<Record<FindingState, string>> = {
  there: '',
  changed: 'reads differently now',
  gone: 'deleted since',
};

/** What a commit changed; of the first there is nothing before it. */
const lookAt = (revision: number) =>
  revision > 1 ? { revision: revision - 1, against: revision } : { revision, against: null };

/** The last heading of a path. */
const titleIn = (path: string): string => path.replace(/^.*#\s+/, '');

/** The request does not repeat the finding: the server tells it to the model, as material and not as words of a person. */
const REQUEST = 'Propose a change for this finding.';

/** Asks for a proposal; null for who cannot, where no model answers, and while another change of theirs is prepared. */
function usePropose(turn: Turn): ((index: number, finding: Finding) => void) | null {
  const { client } = useEditorContext();
  const { ask } = useAssistantActions();
  const canPropose = useCanPropose();
  const isReady = useAssistantPart(
    ({ assistant, isOn, turns }) =>
      assistant !== null &&
      isModel(assistant) &&
      isOn !== false &&
      !turns.some((one) => one.isMine && statusOf(one) === 'running' && !onlyReads(one.record?.workflow)),
  );
  if (!canPropose || !isReady || turn.record === null) return null;
  return (index, finding) => {
    const about = { run: turn.run, finding: index };
    const focus = findingFocus(finding, client.view);
    ask(REQUEST, { workflow: 'edit', mode: 'propose', about, ...(focus && { focus }) });
  };
}
