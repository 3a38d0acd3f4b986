/** The assistant in the list of people: whose request it works on, its progress, and a link to its panel. */
import { Sparkles } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type ActiveAssistant, activityText } from '../../model/assistant/presence';
import { NO_PROGRESS, withEvent } from '../../model/assistant/runProgress';
import { useEditorContext } from '../context/EditorContext';
import { ASSISTANT_COLOR, Avatar } from '../ui/Avatar';

export function AssistantRow({ here, onDone }: { here: ActiveAssistant; onDone: () => void }) {
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
