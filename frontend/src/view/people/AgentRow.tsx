/** An agent in the list of people: it is at no place to go to or to follow; its changes are in the history. */
import { History } from 'lucide-react';
import type { Person } from '../../model/words/people';
import { useEditorContext } from '../context/EditorContext';
import { Avatar } from '../ui/Avatar';

export function AgentRow({ agent: { name, color }, onDone }: { agent: Person; onDone: () => void }) {
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
