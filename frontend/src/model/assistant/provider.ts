/** The provider that answers requests to the assistant, in words. Pure. */
import type { AssistantState, ModelProvider, ProviderName, WorkspaceSwitch } from '../../protocol/types';

export type ProviderSummary =
  /** A model that can be asked. */
  | { kind: 'model'; title: string; where: string }
  /** The commands that are built in. */
  | { kind: 'commands'; title: string; where: string }
  /** A model is wanted and has no key. */
  | { kind: 'keyless'; title: string; where: string }
  /** Nobody, on this server or in this workspace. */
  | { kind: 'off'; title: string; where: string };

const HERE = 'Nothing leaves this machine';

export function providerSummary(assistant: AssistantState, isOn: boolean | null): ProviderSummary {
  if (assistant.provider === 'off')
    return { kind: 'off', title: 'Assistant', where: 'Switched off on this server' };
  if (isOn === false) return { kind: 'off', title: 'Assistant', where: 'Switched off in this workspace' };
  if (assistant.provider === 'builtin')
    return {
      kind: 'commands',
      title: 'Commands',
      where: 'Built-in commands (no AI model) · nothing leaves this machine',
    };
  if (!isReady(assistant)) return { kind: 'keyless', title: assistant.label, where: HERE };
  return { kind: 'model', title: assistant.label, where: `Sends to ${assistant.sends.where}` };
}

/** Whether the provider that answers can be asked; servers of one's own may want no key. */
function isReady({ provider, providers, key }: AssistantState): boolean {
  return providers.find(({ name }) => name === provider)?.is_ready ?? key.source !== 'none';
}

/** The assistant as it is in a workspace that has a provider of its own. */
export function assistantHere(assistant: AssistantState, found: WorkspaceSwitch | null): AssistantState {
  if (!found?.provider || !found.answers) return assistant;
  const { name, label, model, ask_model, sends } = found.answers;
  return { ...assistant, provider: name, label, model, ask_model, sends };
}

/** Whether a model can be connected in this page: by a key, or by the address of a server of one's own. */
export const canConnect = ({ provider, key, server }: AssistantState): boolean =>
  provider !== 'off' && (key.may_enter || server?.lacks === '');

/** What everybody should know while the operator has debug records written. `until` is a time in words. */
export const recordingWords = (until: string): string =>
  `Requests are being recorded until ${until}: whoever runs the server keeps everything that models are sent and answer.`;

/** Whether a model answers on this server. */
export const isModel = ({ provider }: AssistantState): boolean =>
  provider !== 'builtin' && provider !== 'off';

/** What is known of a provider of models, a sentence each: its models, where it sends, its key or what it lacks. */
export function providerWords({ model, ask_model, sends_to, key, lacks }: ModelProvider): string[] {
  const models = model === ask_model || ask_model === '' ? model : `${model}; questions: ${ask_model}`;
  const key_words = {
    environment: 'Its key is set where the server is started.',
    page: 'Its key was entered in the page, and is never shown again.',
    none: '',
  }[key.source];
  return [models, sends_to === null ? '' : `Sends to ${sends_to}.`, lacks || key_words].filter(Boolean);
}

/** What follows from the choice of a workspace. */
export function workspaceProviderWords(assistant: AssistantState, provider: ProviderName | null): string {
  if (provider === null) return `${assistant.label} answers, as on the whole server.`;
  if (provider === 'builtin') return 'Built-in commands answer, and nothing leaves the machine.';
  const found = assistant.providers.find(({ name }) => name === provider);
  if (!found || !assistant.choices.includes(provider))
    return 'This server does not offer that provider any more, so requests are refused. Choose another.';
  const where = found.sends_to === null ? '' : ` What is asked goes to ${found.sends_to}.`;
  return found.lacks || `${found.label} answers with ${found.model}.${where}`;
}
