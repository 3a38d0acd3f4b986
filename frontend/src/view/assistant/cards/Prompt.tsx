/** The prompt of a request, with author, time and focus. */
import type { Turn } from '../../../model/assistant/card';
import { isSuggestion } from '../../../model/assistant/turns';
import { counted } from '../../../model/words/kinds';
import { useLive } from '../../context/EditorContext';
import { Avatar } from '../../ui/Avatar';
import { ago, exactly } from '../../ui/time';

/** Grey with white on it is readable in both themes. */
const ABSENT = '#5f6b7e';

export function Prompt({ turn }: { turn: Turn }) {
  const { talk, record, proposal, isMine } = turn;
  const source = record ?? talk ?? proposal;
  const actor = source?.actor;
  const color = useLive(({ me, members }) =>
    me?.id === actor?.id ? me?.color : members.find(({ id }) => id === actor?.id)?.color,
  );
  if (!source || !actor) return null;
  // The prompt of a running request is not sent to others; they get it once it has ended.
  const own = isSuggestion(turn) ? proposal?.explanation || 'No reason given' : '';
  const prompt = record?.prompt || talk?.prompt || own || proposal?.prompt;
  const at = record?.created_at ?? proposal?.created_at ?? talk?.at ?? '';
  const workflow = (record ?? talk)?.workflow;
  return (
    <div className="card-said">
      <Avatar name={actor.name} color={color ?? ABSENT} isAgent={actor.kind === 'agent'} />
      <div className="card-said-text">
        <p className="card-said-who">
          <span className="card-said-name">{isMine ? 'You' : actor.name}</span>
          {workflow === 'ask' && <span>asked</span>}
          {workflow === 'investigate' && <span>looked for causes</span>}
          {isSuggestion(turn) && <span>suggested</span>}
          <time dateTime={at} title={exactly(at)}>
            {ago(at)}
          </time>
        </p>
        <p className="card-prompt">{prompt}</p>
        <Focus record={record} />
      </div>
    </div>
  );
}

/** The names of the focused nodes; deleted ones are counted. */
function Focus({ record }: { record: Turn['record'] }) {
  const nodes = useLive((live) => live.diagram.nodes);
  if (!record) return null;
  const { focus } = record;
  const names = focus.nodes.flatMap((id) => nodes.find((node) => node.id === id)?.label ?? []);
  const parts = names.slice(0, 3);
  const rest = focus.nodes.length - parts.length;
  if (rest > 0) parts.push(parts.length > 0 ? `${rest} more` : counted(rest, 'node'));
  if (focus.edges.length > 0) parts.push(counted(focus.edges.length, 'connection'));
  if (focus.section) parts.push(focus.section.replace(/^#+ /, ''));
  else if (focus.range) parts.push('selected text');
  if (parts.length === 0) return null;
  return <p className="card-focus">About {parts.join(', ')}</p>;
}
