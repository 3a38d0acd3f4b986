/** The settings where no workspace is open: what belongs to this browser and to the server as a whole. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { forgetKey, readAssistant } from '../../protocol/assistant';
import {
  recallApplyMode,
  recallViewMode,
  rememberApplyMode,
  rememberViewMode,
  resetTour,
} from '../../sync/preferences';
import { useToasts } from '../ui/overlay/Toasts';
import { AssistantSettings } from './AssistantSettings';
import { SettingsFrame } from './SettingsFrame';

export function SettingsDialog({ onClose }: { onClose: () => void }) {
  const [view, setView] = useState(recallViewMode);
  const [mode, setMode] = useState(recallApplyMode);
  const toasts = useToasts();
  const cache = useQueryClient();
  const assistant = useQuery({
    queryKey: ['assistant'],
    queryFn: ({ signal }) => readAssistant(signal),
  });
  return (
    <SettingsFrame
      view={view}
      onView={(chosen) => {
        rememberViewMode(chosen);
        setView(chosen);
      }}
      assistant={
        <AssistantSettings
          assistant={assistant.data ?? null}
          mode={mode}
          onMode={(chosen) => {
            rememberApplyMode(chosen);
            setMode(chosen);
          }}
          onAnswer={(answer) => cache.setQueryData(['assistant'], answer)}
          onForget={async () => cache.setQueryData(['assistant'], await forgetKey())}
        />
      }
      onTour={() => {
        resetTour();
        onClose();
        toasts.show({ text: 'The tour begins when you open a workspace' });
      }}
      onClose={onClose}
    />
  );
}
