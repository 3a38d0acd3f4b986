/** The settings of the assistant: whether it applies or proposes, its provider and its usage today, whether it is on. */

import { useQuery } from '@tanstack/react-query';
import { Plug, Trash2 } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { dayNumbers, dayWarning } from '../../model/assistant/dayNumbers';
import { canConnect, isModel, recordingWords, workspaceProviderWords } from '../../model/assistant/provider';
import { counted } from '../../model/words/kinds';
import { readUsage } from '../../protocol/assistant';
import type { AssistantState, EditMode, ProviderName } from '../../protocol/types';
import type { ApplyMode } from '../../sync/preferences';
import { errorSentences } from '../../sync/words/errors';
import { useMe } from '../queries';
import { later } from '../ui/loading/later';
import { ConfirmDialog } from '../ui/overlay/ConfirmDialog';
import { exactly } from '../ui/time';
import { Choices } from './Choices';
import { ModelProviders } from './ModelProviders';

const PluginList = later(async () => (await import('./PluginList')).PluginList);

const APPLY_MODES = [
  { value: 'auto', text: 'Auto' },
  { value: 'apply', text: 'Apply' },
  { value: 'propose', text: 'Preview' },
] as const;

const APPLY_MODE_HINTS: Readonly<Record<ApplyMode, string>> = {
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
        hint={APPLY_MODE_HINTS[mode]}
        value={mode}
        choices={APPLY_MODES}
        onChoose={onMode}
      />
      {assistant ? <CurrentProvider {...controls} onForget={onForget} assistant={assistant} /> : <Unknown />}
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
          {errorSentences(failure)}
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

function CurrentProvider({
  assistant,
  onForget,
  onConnect,
}: AssistantControls & { assistant: AssistantState }) {
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

interface ProviderProps {
  assistant: AssistantState;
  /** Null: whoever answers on the server. */
  provider: ProviderName | null;
  onChoose: (provider: ProviderName | null) => void;
}

/** The provider for the open workspace: the default of the server, or another one that the operator allows. */
function ProviderSetting({ assistant, provider, onChoose }: ProviderProps) {
  const labels = new Map(assistant.providers.map(({ name, label }) => [name, label]));
  const named = assistant.choices.map((name) => ({
    value: name,
    text: labels.get(name) ?? 'Built-in commands',
  }));
  return (
    <Choices<ProviderName | 'server'>
      label="Who answers here"
      hint={workspaceProviderWords(assistant, provider)}
      value={provider ?? 'server'}
      choices={[{ value: 'server', text: 'As the server is set' }, ...named]}
      onChoose={(chosen) => onChoose(chosen === 'server' ? null : chosen)}
    />
  );
}

type EditModeChoice = EditMode | 'server';

const EDIT_MODES = [
  { value: 'server', text: 'As the server is set' },
  { value: 'tools', text: 'By operations' },
  { value: 'regenerate', text: 'Anew as a whole' },
] as const;

const EDIT_MODE_HINTS: Readonly<Record<EditMode, string>> = {
  tools: 'The model changes what was asked for, step by step; everything else stays as it is.',
  regenerate:
    'The model writes the whole diagram or document each time: slower and more tokens, for models that cannot use operations.',
};

interface EditModeProps {
  /** Null: as the server is set. */
  mode: EditMode | null;
  /** How the server is set. */
  server: EditMode;
  onChoose: (mode: EditMode | null) => void;
}

/** How models edit in the workspace that is open: by operations, anew as a whole, or as the server is set. */
function EditModeSetting({ mode, server, onChoose }: EditModeProps) {
  const meaning = EDIT_MODE_HINTS[mode ?? server];
  return (
    <Choices<EditModeChoice>
      label="How models edit here"
      hint={mode === null ? `${meaning} The server is set so.` : meaning}
      value={mode ?? 'server'}
      choices={EDIT_MODES}
      onChoose={(chosen) => onChoose(chosen === 'server' ? null : chosen)}
    />
  );
}

const numbers = new Intl.NumberFormat('en');

/** What models have done today and what that used, with the limit; loud where too much of it went wrong. */
function UsageToday({ limits }: { limits: AssistantState['limits'] }) {
  const id = useId();
  const usage = useQuery({ queryKey: ['usage'], queryFn: ({ signal }) => readUsage(1, signal) }).data;
  const used = usage?.limit.used_today ?? limits.used_today;
  const most = limits.day_tokens;
  const calls = usage?.total.calls ?? 0;
  const perRun = limits.run_tokens > 0 ? ` and ${numbers.format(limits.run_tokens)} tokens` : '';
  const warning = dayWarning(usage?.quality?.today);
  return (
    <div className="setting">
      <p id={id} className="setting-name">
        Used today, by everybody on this server
      </p>
      {warning.length > 0 && (
        <div className="banner setting-warning" role="alert">
          {warning.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
      )}
      <p className="setting-value">
        {numbers.format(used)} {most > 0 ? `of ${numbers.format(most)} tokens` : 'tokens'}
        {calls > 0 && ` in ${counted(calls, 'answer')}`}
      </p>
      {most > 0 && <progress aria-labelledby={id} max={most} value={Math.min(used, most)} />}
      {usage && (
        <dl className="setting-numbers" aria-labelledby={id}>
          {dayNumbers(usage).map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <p className="field-hint">
        One request takes at most {limits.turns} answers, {limits.seconds} seconds{perRun}. The day is that of
        UTC.
      </p>
    </div>
  );
}
