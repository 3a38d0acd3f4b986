/** The avatars in the bar, the assistant's first, oneself last. Their popover is loaded on demand. */
import '../styles/people.css';
import { useEffect, useMemo, useState } from 'react';
import { type ActiveAssistant, activeAssistants } from '../../model/assistant/presence';
import { counted } from '../../model/words/kinds';
import { listed, type Person } from '../../model/words/people';
import { useEditorContext, useLive, useUiState } from '../context/EditorContext';
import { ProfileButton } from '../shell/ProfileButton';
import { ASSISTANT_COLOR, Avatar } from '../ui/Avatar';
import { later, laterInBackground } from '../ui/loading/later';
import { Popover } from '../ui/overlay/Popover';
import { usePeople } from './usePeople';

const FollowCommands = laterInBackground(async () => (await import('./FollowCommands')).FollowCommands);
const PeopleList = later(async () => (await import('./PeopleList')).PeopleList);
const NameQuestion = laterInBackground(async () => (await import('./NameQuestion')).NameQuestion);

const MAX_SHOWN = 4;

/** Avatars of everybody here and my profile button; sends the shown view as presence. */
export function People() {
  const { ui } = useEditorContext();
  const assistants = useAssistants();
  const people = usePeople();
  const me = people.find(({ isMe }) => isMe);
  const others = people.filter(({ isMe }) => !isMe);
  usePresentView();
  return (
    <div className="people" role="group" aria-label="Who is here">
      {others.length + assistants.length > 0 && <Others others={others} assistants={assistants} />}
      <span data-member={me?.member} data-pages={me?.members.length}>
        <ProfileButton
          color={me?.color}
          pages={me?.members.length ?? 1}
          onSettings={() => ui.set({ dialog: { kind: 'settings' } })}
          onConnectAgent={() => ui.set({ dialog: { kind: 'connect-agent' } })}
        />
      </span>
      {others.length > 0 && <FollowCommands others={others} />}
      {others.length > 0 && <NameQuestion />}
    </div>
  );
}

function Others({
  others,
  assistants,
}: {
  others: readonly Person[];
  assistants: readonly ActiveAssistant[];
}) {
  const [isOpen, setIsOpen] = useState(false);
  const visible = others.length > MAX_SHOWN ? others.slice(0, MAX_SHOWN - 1) : others;
  const more = others.length - visible.length;
  const names = listed([...assistants, ...others].map(({ name }) => name));
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
          aria-label={`${counted(others.length + assistants.length, 'other')} here: ${names}`}
          data-tip={names}
        >
          {assistants.map(({ run, name }) => (
            <Avatar key={run} name={name} color={ASSISTANT_COLOR} isAssistant />
          ))}
          {visible.map(({ id, name, color, isAssistant, isAgent, members, member }) => (
            <Avatar
              key={id}
              name={name}
              color={color}
              isAssistant={isAssistant}
              isAgent={isAgent}
              pages={members.length}
              member={member}
            />
          ))}
          {more > 0 && <span className="avatar-disc more" data-initials={`+${more}`} aria-hidden="true" />}
        </button>
      }
    >
      <PeopleList others={others} assistants={assistants} onDone={() => setIsOpen(false)} />
    </Popover>
  );
}

/** Sends the shown view as presence. */
function usePresentView(): void {
  const { present } = useEditorContext();
  const view = useUiState((state) => state.mode);
  useEffect(() => present({ view }), [present, view]);
}

/** The running requests to the assistant. */
function useAssistants(): ActiveAssistant[] {
  const runs = useLive((live) => live.runs);
  const me = useLive((live) => live.me?.id);
  return useMemo(() => activeAssistants(runs, me), [runs, me]);
}
