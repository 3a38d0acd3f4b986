/** The head of the panel: the provider, where requests are sent, and exactly what is sent. */
import { Info, KeyRound, Sparkles, Terminal } from 'lucide-react';
import { canConnect, type ProviderSummary, recordingWords } from '../../model/assistant/provider';
import type { AssistantState } from '../../protocol/types';
import { useEditorContext } from '../context/EditorContext';
import { Popover } from '../ui/overlay/Popover';
import { exactly } from '../ui/time';
import { AssistantMenu } from './AssistantMenu';

interface Props {
  assistant: AssistantState;
  answering: ProviderSummary;
}

export function WhoAnswers({ assistant, answering }: Props) {
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
