/**
 * All turns, oldest first. The list scrolls to new ones at the bottom, unless somebody has scrolled up; then a button
 * shows that there is something newer.
 */
import { ArrowDown, Sparkles, Terminal } from 'lucide-react';
import {
  memo,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useStore } from 'zustand';
import { hasOnlyHeadings } from '../../model/assistant/description';
import { examplesOf } from '../../model/assistant/examples';
import { providerSummary } from '../../model/assistant/provider';
import { isRunning } from '../../model/assistant/turns';
import { ROOT_PATH } from '../../protocol/root';
import type { DraftWorkflow } from '../../sync/assistant/draft';
import { useEditorContext, useLive } from '../context/EditorContext';
import { useToasts } from '../ui/overlay/Toasts';
import { TurnCard } from './cards/TurnCard';
import { RunningCard } from './RunningCard';
import { scrolledToCard, scrollRequests } from './scrollToCard';
import { useAssistantActions, useAssistantPart, useAssistantTools } from './useAssistant';

/** Rendered again only when its own request has changed. */
const EndedCard = memo(TurnCard);
/** This near to the end counts as the end. */
const END_MARGIN = 32;

export function Conversation() {
  const { store } = useAssistantTools();
  const turns = useAssistantPart((facts) => facts.turns);
  const isKnown = useAssistantPart((facts) => facts.isKnown);
  const failure = useAssistantPart((facts) => facts.failure);
  const list = useRef<HTMLDivElement>(null);
  const { isAtEnd, toEnd } = useStickToEnd(list);
  useScrollToCard(list);
  if (!isKnown && turns.length === 0) {
    if (!failure) return <Loading />;
    return (
      <div className="conversation">
        <div className="banner" role="alert">
          {failure}{' '}
          <button type="button" className="link-button" onClick={() => void store.refresh()}>
            Try again
          </button>
        </div>
      </div>
    );
  }
  if (turns.length === 0) return <EmptyConversation />;
  return (
    <div className="conversation-frame">
      <div
        ref={list}
        className="conversation"
        role="log"
        aria-label="Conversation"
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys
        tabIndex={0}
      >
        <div className="conversation-turns">
          <Older list={list} />
          {turns.map((turn) =>
            isRunning(turn) ? (
              <RunningCard key={turn.run} turn={turn} />
            ) : (
              <EndedCard key={turn.run} turn={turn} />
            ),
          )}
        </div>
      </div>
      {!isAtEnd && (
        <button type="button" className="button small newest" onClick={toEnd}>
          Newest <ArrowDown size={14} strokeWidth={2} aria-hidden="true" />
        </button>
      )}
    </div>
  );
}

function Older({ list }: { list: RefObject<HTMLDivElement | null> }) {
  const { store } = useAssistantTools();
  const toasts = useToasts();
  const hasOlder = useAssistantPart((facts) => facts.hasOlder);
  const isReading = useAssistantPart((facts) => facts.isReadingOlder);
  if (!hasOlder) return null;
  const read = async () => {
    const before = list.current?.scrollHeight ?? 0;
    await store.more().catch(toasts.showError);
    // Keep the scroll position.
    requestAnimationFrame(() => {
      if (list.current) list.current.scrollTop += list.current.scrollHeight - before;
    });
  };
  return (
    <button type="button" className="button small older" disabled={isReading} onClick={() => void read()}>
      {isReading ? 'Loading…' : 'Show earlier requests'}
    </button>
  );
}

/** Stays scrolled to the end while it is there, whatever grows. */
function useStickToEnd(list: RefObject<HTMLDivElement | null>): { isAtEnd: boolean; toEnd: () => void } {
  const [isAtEnd, setIsAtEnd] = useState(true);
  const stays = useRef(true);
  const hasList = useAssistantPart(({ turns }) => turns.length > 0);
  const newest = useAssistantPart(({ turns }) => turns.at(-1)?.run);
  const toEnd = useCallback(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [list]);
  // Always scroll to one's own request.
  const isMine = useAssistantPart(({ turns }) => turns.at(-1)?.isMine === true);
  useLayoutEffect(() => {
    if (newest !== undefined && isMine) toEnd();
  }, [newest, isMine, toEnd]);
  useEffect(() => {
    const scroller = list.current;
    const content = scroller?.firstElementChild;
    if (!hasList || !scroller || !content) return;
    let top = scroller.scrollTop;
    const look = () => {
      const isNear = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < END_MARGIN;
      // Content that has grown is not a scroll by the user.
      if (isNear) stays.current = true;
      else if (scroller.scrollTop < top) stays.current = false;
      top = scroller.scrollTop;
      setIsAtEnd(stays.current);
    };
    const grown = new ResizeObserver(() => {
      if (stays.current) toEnd();
      look();
    });
    grown.observe(content);
    grown.observe(scroller);
    scroller.addEventListener('scroll', look, { passive: true });
    return () => {
      grown.disconnect();
      scroller.removeEventListener('scroll', look);
    };
  }, [hasList, list, toEnd]);
  return { isAtEnd, toEnd };
}

/** Scrolls to a card on request, as soon as it exists. */
function useScrollToCard(list: RefObject<HTMLDivElement | null>): void {
  const { store } = useAssistantTools();
  const card = useStore(scrollRequests(store), (pointing) => pointing.card);
  const turns = useAssistantPart((facts) => facts.turns);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the card may come with newer turns
  useEffect(() => {
    if (!card) return;
    const found = list.current?.querySelector<HTMLElement>(`[data-run="${CSS.escape(card.run)}"]`);
    if (!found) return;
    scrolledToCard(store, card.at);
    found.scrollIntoView({ block: 'nearest' });
    if (!found.hasAttribute('tabindex')) found.tabIndex = -1;
    found.focus({ preventScroll: true });
  }, [card, turns, list, store]);
}

function Loading() {
  return (
    <div className="conversation" role="status" aria-label="The conversation is loading">
      <div className="conversation-turns" aria-hidden="true">
        {[70, 92, 84].map((width) => (
          <span key={width} className="skeleton line" style={{ width: `${width}%` }} />
        ))}
      </div>
    </div>
  );
}

/** For a model, where there is nothing yet. */
const DESCRIPTIONS = [
  'An online shop with a web app, orders, payments and mails that are sent later',
  'A service that takes photos from phones, resizes them and keeps them',
  'Sensors that report every second, a stream, alarms and a dashboard',
];

/** The empty conversation: what the assistant is for, with example requests about the open diagram. */
function EmptyConversation() {
  const { access } = useEditorContext();
  const { draftStore } = useAssistantTools();
  const { edit } = useAssistantActions();
  const diagram = useLive((live) => live.diagram);
  const isBlank = useLive((live) => live.diagram.nodes.length === 0 && hasOnlyHeadings(live.text));
  const assistant = useAssistantPart((facts) => facts.assistant);
  const isOn = useAssistantPart((facts) => facts.isOn);
  const examples = useMemo(() => examplesOf(diagram), [diagram]);
  const isModel = assistant !== null && providerSummary(assistant, isOn).kind === 'model';
  const Icon = isModel ? Sparkles : Terminal;
  const choose = (workflow: DraftWorkflow, text: string) => {
    draftStore.setWorkflow(workflow);
    edit(text);
  };
  return (
    <div className="conversation">
      <div className="conversation-empty">
        <span className="notice-icon" aria-hidden="true">
          <Icon size={22} strokeWidth={1.8} />
        </span>
        <h4>{titleOf(isModel, isBlank)}</h4>
        <p>{hintOf(isModel, isBlank)}</p>
        {access.isWritable && (
          <ExampleGroup
            title={isBlank ? 'For example' : 'Change'}
            texts={isModel && isBlank ? DESCRIPTIONS : examples.edit}
            onChoose={(text) => choose('edit', text)}
          />
        )}
        {examples.ask.length > 0 && (
          <ExampleGroup title="Ask" texts={examples.ask} onChoose={(text) => choose('ask', text)} />
        )}
        {isModel && (
          <ExampleGroup
            title="Find causes"
            texts={examples.investigate}
            onChoose={(text) => choose('investigate', text)}
          />
        )}
        {isBlank && (
          <p className="conversation-hint">
            Or <a href={`${ROOT_PATH}/`}>begin with a template</a>.
          </p>
        )}
      </div>
    </div>
  );
}

const titleOf = (isModel: boolean, isBlank: boolean): string => {
  if (isModel)
    return isBlank ? 'Describe your system' : 'Ask for a change, a question, or what causes a problem';
  return isBlank ? 'Add the first nodes' : 'Type a command';
};

const hintOf = (isModel: boolean, isBlank: boolean): string => {
  if (isModel && isBlank)
    return 'A first diagram and document are drafted from it. You can take it back as one step.';
  if (isModel) return 'What it changes is one step in the history, and you can undo it as one.';
  return 'Fixed English sentences, the same answer every time. Completions show as you type.';
};

interface ExampleGroupProps {
  title: string;
  texts: readonly string[];
  onChoose: (text: string) => void;
}

function ExampleGroup({ title, texts, onChoose }: ExampleGroupProps) {
  if (texts.length === 0) return null;
  return (
    <section className="example-group" aria-label={title}>
      <h5>{title}</h5>
      <ul>
        {texts.map((text) => (
          <li key={text}>
            <button type="button" className="command-chip" onClick={() => onChoose(text)}>
              {text}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
