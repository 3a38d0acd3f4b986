/** The provider that answers requests to the assistant, in words. Pure. */
import type { AssistantState } from '../../protocol/types';

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
  if (assistant.key.source === 'none') return { kind: 'keyless', title: assistant.label, where: HERE };
  return { kind: 'model', title: assistant.label, where: `Sends to ${assistant.sends.where}` };
}

/** Whether a key can be entered in this page. */
export const canEnterKey = ({ provider, key }: AssistantState): boolean =>
  provider !== 'off' && key.may_enter;

/** What everybody should know while the operator has debug records written. `until` is a time in words. */
export const recordingWords = (until: string): string =>
  `Requests are being recorded until ${until}: whoever runs the server keeps everything that models are sent and answer.`;
