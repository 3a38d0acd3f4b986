/**
 * What somebody has chosen, in one place; everything takes effect as soon as it is chosen. Not here: where the choices
 * are kept, and what the assistant's mean where a workspace is open (`WorkspaceSettings.tsx`) or none is (`SettingsDialog.tsx`).
 */
import '../styles/settings.css';
import type { ReactNode } from 'react';
import { chooseTheme, type ViewMode } from '../../sync/preferences';
import { useMe } from '../queries';
import { Dialog } from '../ui/overlay/Dialog';
import { THEME_CHOICES, useTheme } from '../ui/themes';
import { AboutSettings } from './AboutSettings';
import { AccountSettings } from './AccountSettings';
import { Choices } from './Choices';
import { NameSetting } from './NameSetting';

const VIEWS = [
  { value: 'diagram', text: 'Diagram' },
  { value: 'split', text: 'Split' },
  { value: 'document', text: 'Document' },
] as const;

interface Props {
  view: ViewMode;
  onView: (view: ViewMode) => void;
  /** What there is about the assistant. */
  assistant: ReactNode;
  onTour: () => void;
  onClose: () => void;
}

export function SettingsFrame({ view, onView, assistant, onTour, onClose }: Props) {
  const theme = useTheme();
  const me = useMe();
  return (
    <Dialog title="Settings" onClose={onClose} className="settings">
      <div className="settings-body">
        <section className="settings-part" aria-labelledby="settings-you">
          <h3 id="settings-you">You</h3>
          <NameSetting />
          {me.data?.mode === 'token' && me.data.signed_in && <AccountSettings />}
        </section>
        <section className="settings-part" aria-labelledby="settings-look">
          <h3 id="settings-look">Appearance</h3>
          <Choices label="Theme" value={theme} choices={THEME_CHOICES} onChoose={chooseTheme} />
          <Choices
            label="Show first"
            hint="What a workspace shows when it is opened in this browser."
            value={view}
            choices={VIEWS}
            onChoose={onView}
          />
        </section>
        <section className="settings-part" aria-labelledby="settings-assistant">
          <h3 id="settings-assistant">Assistant</h3>
          {assistant}
        </section>
        <section className="settings-part" aria-labelledby="settings-about">
          <h3 id="settings-about">About Draftsmith</h3>
          <AboutSettings onTour={onTour} />
        </section>
      </div>
    </Dialog>
  );
}
