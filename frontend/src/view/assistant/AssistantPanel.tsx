/** The panel of the assistant: conversation and composer. Without a model it takes commands. */
import '../styles/assistant.css';
import { PowerOff } from 'lucide-react';
import { providerSummary } from '../../model/assistant/provider';
import { Notice } from '../ui/Notice';
import { useToasts } from '../ui/overlay/Toasts';
import { Composer } from './Composer';
import { Conversation } from './Conversation';
import { useAssistantPart, useAssistantTools } from './useAssistant';
import { WhoAnswers } from './WhoAnswers';

export function AssistantPanel() {
  const assistant = useAssistantPart((facts) => facts.assistant);
  const isOn = useAssistantPart((facts) => facts.isOn);
  const hasTurns = useAssistantPart(({ turns }) => turns.length > 0);
  const answering = assistant && providerSummary(assistant, isOn);
  const isOff = answering?.kind === 'off';
  return (
    <div className="assistant-panel">
      {assistant && answering ? (
        <WhoAnswers assistant={assistant} answering={answering} />
      ) : (
        <div className="who-answers" aria-hidden="true">
          <span className="skeleton line" style={{ width: '55%' }} />
        </div>
      )}
      {isOff && !hasTurns ? <SwitchedOff isHere={assistant?.provider !== 'off'} /> : <Conversation />}
      {isOff
        ? hasTurns && assistant?.provider !== 'off' && <SwitchOn />
        : answering && <Composer answering={answering} />}
    </div>
  );
}

function SwitchedOff({ isHere }: { isHere: boolean }) {
  return (
    <div className="conversation">
      <Notice
        icon={PowerOff}
        heading="h2"
        title={isHere ? 'Switched off in this workspace' : 'Switched off on this server'}
        advice={
          isHere
            ? 'Nobody can ask the assistant here. What it did before stays in the history.'
            : 'Whoever runs the server has switched the assistant off (ASSISTANT_PROVIDER=off).'
        }
      >
        {isHere && <SwitchOnButton />}
      </Notice>
    </div>
  );
}

function SwitchOn() {
  return (
    <div className="composer-off">
      <p>Switched off in this workspace.</p>
      <SwitchOnButton />
    </div>
  );
}

function SwitchOnButton() {
  const { store } = useAssistantTools();
  const toasts = useToasts();
  return (
    <button
      type="button"
      className="button small"
      onClick={() => void store.setOn(true).catch(toasts.showError)}
    >
      Switch on
    </button>
  );
}
