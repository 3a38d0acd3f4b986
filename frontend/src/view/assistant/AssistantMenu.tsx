/** The menu of the assistant: clear the conversation, the key, switch it off in this workspace; and its usage. */
import { Ellipsis, Eraser, KeyRound, Power, Unplug } from 'lucide-react';
import { useState } from 'react';
import { canConnect, type ProviderSummary } from '../../model/assistant/provider';
import type { AssistantState } from '../../protocol/types';
import { useEditorContext } from '../context/EditorContext';
import { IconButton } from '../ui/IconButton';
import { ConfirmDialog } from '../ui/overlay/ConfirmDialog';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../ui/overlay/Menu';
import { useToasts } from '../ui/overlay/Toasts';
import { useAssistantPart, useAssistantTools } from './useAssistant';

interface Props {
  assistant: AssistantState;
  answering: ProviderSummary;
}

export function AssistantMenu({ assistant, answering }: Props) {
  const { ui } = useEditorContext();
  const { store } = useAssistantTools();
  const toasts = useToasts();
  const [isClearing, setIsClearing] = useState(false);
  const isEmpty = useAssistantPart(({ turns }) => turns.length === 0);
  const reportFailure = (promise: Promise<void>) => void promise.catch(toasts.showError);
  const isModel = answering.kind === 'model' || answering.kind === 'keyless';
  return (
    <>
      <Menu button={<IconButton icon={Ellipsis} label="More about the assistant" className="tip-left" />}>
        {isModel && (
          <>
            <MenuLabel>{usedToday(assistant)}</MenuLabel>
            <MenuSeparator />
          </>
        )}
        <MenuItem icon={Eraser} isDisabled={isEmpty} onChoose={() => setIsClearing(true)}>
          Clear the conversation…
        </MenuItem>
        {canConnect(assistant) && (
          <MenuItem icon={KeyRound} onChoose={() => ui.set({ dialog: { kind: 'connect-model' } })}>
            {assistant.key.source === 'page' ? 'Enter another key…' : 'Connect a model…'}
          </MenuItem>
        )}
        {assistant.key.source === 'page' && (
          <MenuItem icon={Unplug} onChoose={() => reportFailure(store.forgetKey())}>
            Forget the key
          </MenuItem>
        )}
        {answering.kind !== 'off' && (
          <MenuItem icon={Power} onChoose={() => reportFailure(store.setOn(false))}>
            Switch off in this workspace
          </MenuItem>
        )}
      </Menu>
      {isClearing && <ClearDialog onClose={() => setIsClearing(false)} />}
    </>
  );
}

export function ClearDialog({ onClose }: { onClose: () => void }) {
  const { store } = useAssistantTools();
  const toasts = useToasts();
  const [isBusy, setIsBusy] = useState(false);
  const clear = async () => {
    setIsBusy(true);
    try {
      await store.clear();
      onClose();
    } catch (error) {
      toasts.showError(error);
      setIsBusy(false);
    }
  };
  return (
    <ConfirmDialog
      title="Clear the conversation?"
      confirm="Clear the conversation"
      tone="bad"
      isBusy={isBusy}
      onConfirm={clear}
      onClose={onClose}
    >
      <p>The requests and answers of this workspace are forgotten, for everybody in it.</p>
      <p>Diagram, document and history stay as they are, and what waits for a yes goes on waiting.</p>
    </ConfirmDialog>
  );
}

function usedToday({ limits }: AssistantState): string {
  const { used_today: used, day_tokens: most } = limits;
  const tokens = used.toLocaleString('en');
  return most > 0 ? `${tokens} of ${most.toLocaleString('en')} tokens today` : `${tokens} tokens today`;
}
