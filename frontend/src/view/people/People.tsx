/** Who is here: a row of avatars in the bar, oneself at its end, and a list that says where each of them is. */
import '../styles/people.css';
import { Footprints, LocateFixed, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { counted } from '../../model/kinds';
import { listed, type Person, whereIs } from '../../model/people';
import { useCommands, useDesk, useDeskState } from '../desk/Desk';
import { Popover } from '../ui/Popover';
import { ProfileButton } from '../ui/ProfileButton';
import { Avatar } from './Avatar';
import { goTo } from './goTo';
import { NameQuestion } from './NameQuestion';
import { usePeople } from './usePeople';

const MOST_SHOWN = 4;

export function People() {
  const people = usePeople();
  const me = people.find(({ isMe }) => isMe);
  const others = people.filter(({ isMe }) => !isMe);
  usePresentView();
  useFollowCommands(others);
  return (
    <div className="people" role="group" aria-label="Who is here">
      {others.length > 0 && <Others others={others} />}
      <span data-member={me?.member} data-pages={me?.members.length}>
        <ProfileButton color={me?.color} pages={me?.members.length ?? 1} />
      </span>
      <NameQuestion />
    </div>
  );
}

function Others({ others }: { others: readonly Person[] }) {
  const [isOpen, setIsOpen] = useState(false);
  const shown = others.length > MOST_SHOWN ? others.slice(0, MOST_SHOWN - 1) : others;
  const more = others.length - shown.length;
  const names = listed(others.map(({ name }) => name));
  return (
    <Popover
      label="People here"
      className="people-list"
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      button={
        <button
          type="button"
          className="people-button"
          aria-label={`${counted(others.length, 'other')} here: ${names}`}
          data-tip={names}
        >
          {shown.map(({ id, name, color, isAssistant, members, member }) => (
            <Avatar
              key={id}
              name={name}
              color={color}
              isAssistant={isAssistant}
              pages={members.length}
              member={member}
            />
          ))}
          {more > 0 && <span className="avatar-disc more" data-initials={`+${more}`} aria-hidden="true" />}
        </button>
      }
    >
      <h2>Here now</h2>
      <ul>
        {others.map((person) => (
          <PersonRow key={person.id} person={person} onDone={() => setIsOpen(false)} />
        ))}
      </ul>
    </Popover>
  );
}

function PersonRow({ person, onDone }: { person: Person; onDone: () => void }) {
  const desk = useDesk();
  const nameOf = useNameOf();
  const following = useDeskState((state) => state.following);
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
          goTo(desk, person);
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
          desk.ui.set({ following: isFollowed ? null : member });
        }}
      >
        {isFollowed ? <X size={14} aria-hidden="true" /> : <Footprints size={14} aria-hidden="true" />}
        {isFollowed ? 'Stop' : 'Follow'}
      </button>
    </li>
  );
}

/** What a node or edge is called, for words about it. */
export function useNameOf(): (id: string) => string | null {
  const { client } = useDesk();
  return (id) => {
    const { nodes, edges } = client.view;
    return nodes.get(id)?.label ?? (edges.has(id) ? 'a connection' : null);
  };
}

/** Others see which view is open here. */
function usePresentView(): void {
  const { present } = useDesk();
  const view = useDeskState((state) => state.mode);
  useEffect(() => present({ view }), [present, view]);
}

/** Following and finding people by name, from the palette of commands. */
function useFollowCommands(others: readonly Person[]): void {
  const desk = useDesk();
  const { ui } = desk;
  useCommands([
    ...others.flatMap((person) => [
      {
        id: `people.follow.${person.id}`,
        title: `Follow ${person.name}`,
        group: 'Go' as const,
        icon: Footprints,
        words: 'person people view',
        run: () => ui.set({ following: person.member }),
      },
      {
        id: `people.find.${person.id}`,
        title: `Go to where ${person.name} is`,
        group: 'Go' as const,
        icon: LocateFixed,
        words: 'person people',
        run: () => goTo(desk, person),
      },
    ]),
    {
      id: 'people.stop',
      title: 'Stop following',
      group: 'Go',
      icon: X,
      isEnabled: () => ui.get().following !== null,
      run: () => ui.set({ following: null }),
    },
  ]);
}
