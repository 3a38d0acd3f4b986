/** The settings of the assistant: whether it applies or proposes, its provider and its usage today, whether it is on. */
import { Plug, Trash2 } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { canConnect, isModel, recordingWords } from '../../model/assistant/provider';
import type { AssistantState, EditMode, ProviderName } from '../../protocol/types';
import type { ApplyMode } from '../../sync/preferences';
import { explainError } from '../../sync/words/errors';
import { useMe } from '../queries';
import { later } from '../ui/loading/later';
import { ConfirmDialog } from '../ui/overlay/ConfirmDialog';
import { exactly } from '../ui/time';
import { Choices } from './Choices';
import { EditModeSetting } from './EditModeSetting';
import { ModelProviders } from './ModelProviders';
import { ProviderSetting } from './ProviderSetting';
import { UsageToday } from './UsageToday';

const PluginList = later(async () => (await import('./PluginList')).PluginList);

const BECOMINGS = [
  { value: 'auto', text: 'Auto' },
  { value: 'apply', text: 'Apply' },
  { value: 'propose', text: 'Preview' },
] as const;

const MEANINGS: Readonly<Record<ApplyMode, string>> = {
  auto: 'Small changes are applied at once; what deletes or rewrites much waits for your yes.',
  apply: 'Changes are applied at once. Every one can be undone.',
  propose: 'Nothing is changed before you have said yes.',
};

export interface AssistantControls {
  /** Who answers; null until it is known. */
  assistant: AssistantState | null;
  mode: ApplyMode;
  onMode: (mode: ApplyMode) => void;
  onForget: () => Promise<unknown>;
  /** Opens what connects a model; undefined where none can be connected from here. */
  onConnect?: (() => void) | undefined;
  /** Whether it may be used in the workspace that is open; null until it is known, undefined where none is open. */
  isOn?: boolean | null;
  onSwitch?: (isOn: boolean) => Promise<unknown>;
  /** How models edit in that workspace; null: as the server is set, undefined until it is known. */
  editMode?: EditMode | null | undefined;
  onEditMode?: (mode: EditMode | null) => Promise<unknown>;
  /** Which provider was chosen for that workspace; null: the server's, undefined until it is known. */
  provider?: ProviderName | null | undefined;
  onProvider?: (provider: ProviderName | null) => Promise<unknown>;
  /** Takes a new state of the assistant; without it providers are not listed. */
  onAnswer?: (assistant: AssistantState) => void;
}

export function AssistantSettings(controls: AssistantControls) {
  const { assistant, mode, onMode, isOn, onSwitch, editMode, onEditMode } = controls;
  const { provider, onProvider, onAnswer } = controls;
  const isAdmin = useMe().data?.is_admin ?? false;
  const [failure, setFailure] = useState<unknown>(null);
  const settled = (promise: Promise<unknown>) => promise.then(() => setFailure(null), setFailure);
  const onForget = () => settled(controls.onForget());
  return (
    <>
      <Choices
        label="What becomes of changes"
        hint={MEANINGS[mode]}
        value={mode}
        choices={BECOMINGS}
        onChoose={onMode}
      />
      {assistant ? <WhoAnswers {...controls} onForget={onForget} assistant={assistant} /> : <Unknown />}
      {assistant?.debug && <DebugNotice until={assistant.debug.until} />}
      {assistant &&
        onProvider &&
        provider !== undefined &&
        (assistant.choices.length > 2 || provider !== null) && (
          <ProviderSetting
            assistant={assistant}
            provider={provider}
            onChoose={(chosen) => void settled(onProvider(chosen))}
          />
        )}
      {assistant && isModel(assistant) && onEditMode && editMode !== undefined && (
        <EditModeSetting
          mode={editMode}
          server={assistant.edit_mode}
          onChoose={(chosen) => void settled(onEditMode(chosen))}
        />
      )}
      {assistant && isModel(assistant) && <UsageToday limits={assistant.limits} />}
      {assistant && onAnswer && <ModelProviders assistant={assistant} onAnswer={onAnswer} />}
      {isAdmin && <PluginList />}
      {onSwitch && <Switch isOn={isOn ?? null} onSwitch={(on) => settled(onSwitch(on))} />}
      {failure !== null && (
        <p className="banner" role="alert">
          {explainError(failure).title}. {explainError(failure).advice}
        </p>
      )}
    </>
  );
}

const DebugNotice = ({ until }: { until: string }) => (
  <p className="banner offline">{recordingWords(exactly(until))}</p>
);

const Unknown = () => (
  <div className="setting" role="status" aria-label="Asking who answers">
    <span className="skeleton line" style={{ width: '46%' }} />
    <span className="skeleton line thin" style={{ width: '72%' }} />
  </div>
);

function WhoAnswers({ assistant, onForget, onConnect }: AssistantControls & { assistant: AssistantState }) {
  const { label, key, sends } = assistant;
  return (
    <div className="setting" role="group" aria-labelledby="who-answers">
      <p id="who-answers" className="setting-name">
        Who answers
      </p>
      <p className="setting-value">{label}</p>
      <p className="field-hint">{keyWords(assistant)}</p>
      {sends.what.length > 0 && (
        <details className="setting-more">
          <summary>What is sent{sends.where ? ` to ${sends.where}` : ''}</summary>
          <ul>
            {sends.what.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </details>
      )}
      <div className="setting-actions">
        {canConnect(assistant) && onConnect && (
          <button type="button" className="button" onClick={onConnect}>
            <Plug size={16} strokeWidth={1.9} aria-hidden="true" />
            {key.source === 'page' ? 'Enter another key' : 'Connect a model'}
          </button>
        )}
        {key.source === 'page' && key.may_enter && <ForgetKey onForget={onForget} />}
      </div>
    </div>
  );
}

function keyWords(assistant: AssistantState): ReactNode {
  const { provider, key, sends } = assistant;
  if (provider === 'off') return 'The assistant is switched off on this server.';
  if (key.source === 'environment') return 'The key is set where the server is started.';
  if (key.source === 'page')
    return 'The key was entered in the page. It is kept on the server and never shown again.';
  const nothing = sends.what.length === 0 ? 'Nothing leaves the server. ' : '';
  return canConnect(assistant)
    ? `${nothing}Connect a model to ask in your own words.`
    : `${nothing}On this server, whoever runs it connects a model.`;
}

function ForgetKey({ onForget }: { onForget: () => Promise<unknown> }) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <button type="button" className="button" onClick={() => setIsAsking(true)}>
        <Trash2 size={16} strokeWidth={1.9} aria-hidden="true" />
        Forget the key
      </button>
      {isAsking && (
        <ConfirmDialog
          title="Forget the key?"
          confirm="Forget the key"
          tone="bad"
          onClose={() => setIsAsking(false)}
          onConfirm={() => {
            setIsAsking(false);
            void onForget();
          }}
        >
          <p>
            The server keeps it no longer. From then on another provider that has its key answers, else the
            built-in commands, for everybody on this server.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

function Switch({ isOn, onSwitch }: { isOn: boolean | null; onSwitch: (isOn: boolean) => Promise<unknown> }) {
  const id = useId();
  const [wanted, setWanted] = useState<boolean | null>(null);
  return (
    <div className="setting">
      <label className="setting-switch">
        <input
          type="checkbox"
          aria-describedby={id}
          checked={wanted ?? isOn ?? true}
          disabled={isOn === null || wanted !== null}
          onChange={(event) => {
            setWanted(event.target.checked);
            void onSwitch(event.target.checked).finally(() => setWanted(null));
          }}
        />
        <span>Use the assistant in this workspace</span>
      </label>
      <p id={id} className="field-hint">
        For everybody here. What it has done stays.
      </p>
    </div>
  );
}
