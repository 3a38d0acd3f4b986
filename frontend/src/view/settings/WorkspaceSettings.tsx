/**
 * The settings while a workspace is open: view and assistant follow at once, and the assistant can be switched off
 * here.
 */
import type { EditMode, ProviderName } from '../../protocol/types';
import { resetTour } from '../../sync/preferences';
import { useAssistantPart, useAssistantTools, useDraft } from '../assistant/useAssistant';
import { useEditorContext, useUiState } from '../context/EditorContext';
import { AssistantSettings } from './AssistantSettings';
import { SettingsFrame } from './SettingsFrame';

export function WorkspaceSettings({ onClose }: { onClose: () => void }) {
  const { ui, access } = useEditorContext();
  const { store, draftStore } = useAssistantTools();
  const view = useUiState((state) => state.mode);
  const assistant = useAssistantPart((facts) => facts.assistant);
  const isOn = useAssistantPart((facts) => facts.isOn);
  const editMode = useAssistantPart((facts) => facts.editMode);
  const provider = useAssistantPart((facts) => facts.provider);
  const mode = useDraft((draft) => draft.mode);
  return (
    <SettingsFrame
      view={view}
      onView={(chosen) => ui.setMode(chosen)}
      assistant={
        <AssistantSettings
          assistant={assistant}
          mode={mode}
          onMode={(chosen) => draftStore.setMode(chosen)}
          onForget={() => store.forgetKey()}
          onConnect={() => ui.set({ dialog: { kind: 'connect-model' } })}
          isOn={isOn}
          editMode={editMode}
          provider={provider}
          onAnswer={(answer) => store.take(answer)}
          {...(access.isTextWritable && {
            onSwitch: (on: boolean) => store.setOn(on),
            onEditMode: (chosen: EditMode | null) => store.setEditMode(chosen),
            onProvider: (chosen: ProviderName | null) => store.setProvider(chosen),
          })}
        />
      }
      onTour={() => {
        onClose();
        resetTour();
      }}
      onClose={onClose}
    />
  );
}
