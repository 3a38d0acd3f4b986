/** The panel of the assistant: conversation and composer. Without a model it takes commands. */
import '../styles/assistant.css';
import { Info, KeyRound, PowerOff, Sparkles, Terminal } from 'lucide-react';
import {
  canConnect,
  type ProviderSummary,
  providerSummary,
  recordingWords,
} from '../../model/assistant/provider';
import type { AssistantState } from '../../protocol/types';
import { useEditorContext } from '../context/EditorContext';
import { Notice } from '../ui/Notice';
import { Popover } from '../ui/overlay/Popover';
import { useToasts } from '../ui/overlay/Toasts';
import { exactly } from '../ui/time';
import { AssistantMenu } from './AssistantMenu';
import { Composer } from './Composer';
import { Conversation } from './Conversation';
import { useAssistantPart, useAssistantTools } from './useAssistant';

export function AssistantPanel() {
  const assistant = useAssistantPart((facts) => facts.assistant);
  const isOn = useAssistantPart((facts) => facts.isOn);
  const hasTurns = useAssistantPart(({ turns }) => turns.length > 0);
  const answering = assistant && providerSummary(assistant, isOn);
  const isOff = answering?.kind === 'off';
  return (
    <div className="assistant-panel">
      {assistant && answering ? (
        <ProviderHead assistant={assistant} answering={answering} />
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

interface ProviderHeadProps {
  assistant: AssistantState;
  answering: ProviderSummary;
}

/** The head of the panel: the provider, where requests are sent, and exactly what is sent. */
function ProviderHead({ assistant, answering }: ProviderHeadProps) {
  const { ui } = useEditorContext();
  const { kind, title, where } = answering;
  const Icon = kind === 'commands' ? Terminal : Sparkles;
  const isConnectable = (kind === 'commands' || kind === 'keyless') && canConnect(assistant);
  return (
    <div className="who-answers" data-kind={kind}>
      <div className="who-line">
        <span className="who-icon" aria-hidden="true">
          <Icon size={17} strokeWidth={1.9} />
        </span>
        <div className="who-text">
          <h3>{title}</h3>
          {kind === 'model' ? (
            <Popover
              label="What is sent"
              align="start"
              className="sent"
              button={
                <button type="button" className="who-where">
                  {where} <Info size={13} strokeWidth={2} aria-hidden="true" />
                </button>
              }
            >
              <WhatIsSent assistant={assistant} />
            </Popover>
          ) : (
            <p className="who-where">{where}</p>
          )}
        </div>
        <AssistantMenu assistant={assistant} answering={answering} />
      </div>
      {kind === 'model' && assistant.check?.ok === false && (
        <p className="who-note bad">It did not answer when it was last tried: {assistant.check.detail}</p>
      )}
      {kind === 'model' && assistant.debug && (
        <p className="who-note recorded">{recordingWords(exactly(assistant.debug.until))}</p>
      )}
      {kind === 'keyless' && <p className="who-note">Without a key the model cannot be asked.</p>}
      {isConnectable && (
        <button
          type="button"
          className="button small"
          onClick={() => ui.set({ dialog: { kind: 'connect-model' } })}
        >
          <KeyRound size={14} strokeWidth={2} aria-hidden="true" /> Connect a model
        </button>
      )}
    </div>
  );
}

/** The server's own words, which are the promise. */
function WhatIsSent({ assistant }: { assistant: AssistantState }) {
  const { where, what } = assistant.sends;
  return (
    <>
      <p>
        When you ask, this goes to <strong>{where}</strong> and nowhere else:
      </p>
      <ul>
        {what.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p className="sent-not">Other workspaces, keys and settings are never sent.</p>
    </>
  );
}
