/** Everybody present, with where they are and what they do: to go there, or to follow. */
import { Footprints, LocateFixed, X } from 'lucide-react';
import type { ActiveAssistant } from '../../model/assistant/presence';
import { type Person, whereIs } from '../../model/words/people';
import { useEditorContext, useUiState } from '../context/EditorContext';
import { Avatar } from '../ui/Avatar';
import { AgentRow } from './AgentRow';
import { AssistantRow } from './AssistantRow';
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
