/** Connecting a model by its key: whose key can be entered, and what has come of it, in words. Pure. */
import type { AssistantState, ModelProvider } from '../../protocol/types';

/** Providers of models whose key is all that is entered in this page; a server of one's own has its address, too. */
export const enterable = ({ providers }: AssistantState): ModelProvider[] =>
  providers.filter(({ name, key }) => key.may_enter && name !== 'own');

/** The provider that is meant as long as nobody has chosen one: who answers, else the first. */
export function meantProvider(assistant: AssistantState): ModelProvider | undefined {
  const found = enterable(assistant);
  return found.find(({ name }) => name === assistant.provider) ?? found[0];
}

/** Why no key can be entered in this page. */
export function keyPlaceWords({ key, providers, provider }: AssistantState): string {
  if (key.source !== 'environment') return 'On this server, whoever runs it connects a model.';
  const label = providers.find(({ name }) => name === provider)?.label;
  return `The key${label ? ` of ${label}` : ''} is set where the server is started, and is changed there.`;
}

export interface Connected {
  text: string;
  detail: string;
  /** Whether the provider whose key was entered answers from now on. */
  answers: boolean;
}

/** What has come of the key of a provider that was tried and kept; `assistant` as it is now in the workspace. */
export function connectedWords(assistant: AssistantState, provider: ModelProvider): Connected {
  if (assistant.provider === provider.name) {
    const detail = `What you ask goes to ${assistant.sends.where}.`;
    return { text: `${assistant.label} answers now`, detail, answers: true };
  }
  const detail = `Here ${assistant.label} answers, as before.`;
  return { text: `The key of ${provider.label} works and is kept`, detail, answers: false };
}
