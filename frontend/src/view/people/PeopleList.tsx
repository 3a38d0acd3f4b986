/** Everybody present, with where they are and what they do: to go there, or to follow. */
import { Footprints, History, LocateFixed, Sparkles, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type ActiveAssistant, activityText } from '../../model/assistant/presence';
import { NO_PROGRESS, withEvent } from '../../model/assistant/runProgress';
import { type Person, whereIs } from '../../model/words/people';
import { useEditorContext, useUiState } from '../context/EditorContext';
import { ASSISTANT_COLOR, Avatar } from '../ui/Avatar';
import { goTo } from './goTo';

interface Props {
  others: readonly Person[];
  assistants: readonly ActiveAssistant[];
  /** Called after a choice. */
  onDone: () => void;
}

export function PeopleList({ others, assistants, onDone }: Props) {
  return (
    <>
      <h2>Here now</h2>
      <ul>
        {assistants.map((here) => (
          <AssistantRow key={here.run} here={here} onDone={onDone} />
        ))}
        {others.map((person) =>
          person.isAgent ? (
            <AgentRow key={person.id} agent={person} onDone={onDone} />
          ) : (
            <PersonRow key={person.id} person={person} onDone={onDone} />
          ),
        )}
      </ul>
    </>
  );
}

function PersonRow({ person, onDone }: { person: Person; onDone: () => void }) {
  const context = useEditorContext();
  const nameOf = useNameOf();
  const following = useUiState((state) => state.following);
  const isFollowed = following !== null && person.members.includes(following);
  const { name, color, isAssistant, members, member, state } = person;
  return (
    <li className="person">
      <Avatar name={name} color={color} isAssistant={isAssistant} />
      <p className="person-text">
        <span className="person-name">{name}</span>
        <span className="person-where">
          {whereIs(state, nameOf)}
          {members.length > 1 && ` · ${members.length} tabs`}
        </span>
      </p>
      <button
        type="button"
        className="icon-button small"
        aria-label={`Go to ${name}`}
        data-tip={`Go to where ${name} is`}
        onClick={() => {
          onDone();
          goTo(context, person);
        }}
      >
        <LocateFixed size={16} aria-hidden="true" />
      </button>
      <button
        type="button"
        className="button small"
        aria-pressed={isFollowed}
        aria-label={isFollowed ? `Stop following ${name}` : `Follow ${name}`}
        onClick={() => {
          onDone();
          context.ui.set({ following: isFollowed ? null : member });
        }}
      >
        {isFollowed ? <X size={14} aria-hidden="true" /> : <Footprints size={14} aria-hidden="true" />}
        {isFollowed ? 'Stop' : 'Follow'}
      </button>
    </li>
  );
}

/** Names of nodes and edges. */
function useNameOf(): (id: string) => string | null {
  const { client } = useEditorContext();
  return (id) => {
    const { nodes, edges } = client.view;
    return nodes.get(id)?.label ?? (edges.has(id) ? 'a connection' : null);
  };
}

/** An agent in the list of people: it is at no place to go to or to follow; its changes are in the history. */
function AgentRow({ agent: { name, color }, onDone }: { agent: Person; onDone: () => void }) {
  const { ui } = useEditorContext();
  return (
    <li className="person">
      <Avatar name={name} color={color} isAgent />
      <p className="person-text">
        <span className="person-name">{name}</span>
        <span className="person-where">Agent, reads and edits</span>
      </p>
      <button
        type="button"
        className="button small"
        aria-label={`Open the history: changes by ${name}`}
        onClick={() => {
          onDone();
          ui.setPanel('history');
        }}
      >
        <History size={14} aria-hidden="true" />
        History
      </button>
    </li>
  );
}

/** The assistant in the list of people: whose request it works on, its progress, and a link to its panel. */
function AssistantRow({ here, onDone }: { here: ActiveAssistant; onDone: () => void }) {
  const { ui } = useEditorContext();
  const prepared = usePrepared(here.run);
  return (
    <li className="person" data-run={here.run}>
      <Avatar name={here.name} color={ASSISTANT_COLOR} isAssistant />
      <p className="person-text">
        <span className="person-name">{here.name}</span>
        <span className="person-where">{activityText(here.workflow, prepared)}</span>
      </p>
      <button
        type="button"
        className="button small"
        aria-label={`Open the assistant: ${here.name}`}
        onClick={() => {
          onDone();
          ui.setPanel('assistant');
        }}
      >
        <Sparkles size={14} aria-hidden="true" />
        Open
      </button>
    </li>
  );
}

/** The number of prepared changes of a run; watched while mounted. */
function usePrepared(run: string): number {
  const { client } = useEditorContext();
  const [count, setCount] = useState(0);
  useEffect(() => {
    let progress = NO_PROGRESS;
    return client.watchRun(run, '0', (_id, event) => {
      progress = withEvent(progress, event);
      setCount(progress.operations.length);
    });
  }, [client, run]);
  return count;
}
