/** Asks once for a name, when somebody else joins and the own name is the default. Not modal. */
import { useState } from 'react';
import { isUnnamed, listed } from '../../model/words/people';
import { hasDeclinedName, rememberDeclinedName } from '../../sync/preferences';
import { useRenameMe } from '../queries';
import { useToasts } from '../ui/overlay/Toasts';
import { useIsPhone } from '../ui/useMedia';
import { usePeople } from './usePeople';

export function NameQuestion() {
  const [isDeclined, setIsDeclined] = useState(hasDeclinedName);
  const [name, setName] = useState('');
  const rename = useRenameMe();
  const toasts = useToasts();
  const people = usePeople();
  // There it would cover the panes, and a viewer needs no name.
  const isPhone = useIsPhone();
  const me = people.find(({ isMe }) => isMe);
  const others = people.filter(({ isMe, isAssistant, isAgent }) => !isMe && !isAssistant && !isAgent);
  if (isDeclined || isPhone || !me || !isUnnamed(me.name) || others.length === 0) return null;
  const decline = () => {
    rememberDeclinedName();
    setIsDeclined(true);
  };
  return (
    <form
      className="name-question"
      aria-label="Your name"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim()) rename.mutate(name.trim(), { onError: toasts.showError });
      }}
    >
      <label htmlFor="own-name">
        {listed(others.map((one) => one.name))} {others.length === 1 ? 'is' : 'are'} here too. What should
        they call you?
      </label>
      <input
        id="own-name"
        value={name}
        maxLength={60}
        autoComplete="name"
        placeholder={me.name}
        onChange={(event) => setName(event.target.value)}
      />
      <div className="name-question-foot">
        <button type="button" className="button small" onClick={decline}>
          Not now
        </button>
        <button type="submit" className="button small primary" disabled={!name.trim() || rename.isPending}>
          Save name
        </button>
      </div>
    </form>
  );
}
