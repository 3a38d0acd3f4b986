/** The provider for the open workspace: the default of the server, or another one that the operator allows. */
import { workspaceProviderWords } from '../../model/assistant/provider';
import type { AssistantState, ProviderName } from '../../protocol/types';
import { Choices } from './Choices';

interface Props {
  assistant: AssistantState;
  /** Null: whoever answers on the server. */
  provider: ProviderName | null;
  onChoose: (provider: ProviderName | null) => void;
}

export function ProviderSetting({ assistant, provider, onChoose }: Props) {
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
