/**
 * What somebody has chosen, in one place; everything takes effect as soon as it is chosen. Not here: where the choices
 * are kept, and what the assistant's mean where a workspace is open (`WorkspaceSettings.tsx`) or none is (`SettingsDialog.tsx`).
 */
import '../styles/settings.css';
import { BookOpen, Footprints } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { ROOT_PATH } from '../../protocol/root';
import { chooseTheme, type ViewMode } from '../../sync/preferences';
import { errorSentences } from '../../sync/words/errors';
import { useMe, useRenameMe } from '../queries';
import { serverVersion } from '../ui/failure/version';
import { Field } from '../ui/field/Field';
import { Dialog } from '../ui/overlay/Dialog';
import { THEME_CHOICES, useTheme } from '../ui/themes';
import { useFlushOnLeave } from '../ui/useFlushOnLeave';
import { AccountSettings } from './AccountSettings';
import { Choices } from './Choices';

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

/** What somebody is called: saved when the field is left or Enter is pressed; Escape brings back what holds. */
function NameSetting() {
  const me = useMe().data;
  const rename = useRenameMe();
  const [draft, setDraft] = useState<string | null>(null);
  const held = me?.name ?? '';
  const save = () => {
    const wanted = draft?.trim();
    setDraft(null);
    if (wanted && wanted !== held) rename.mutate(wanted);
  };
  useFlushOnLeave(save);
  const hint = rename.isPending
    ? 'Saving…'
    : rename.isSuccess
      ? 'Saved'
      : 'Shown to others beside your changes';
  return (
    <Field label="Your name" hint={hint} error={rename.error ? errorSentences(rename.error) : undefined}>
      {(wiring) => (
        <input
          {...wiring}
          value={draft ?? held}
          maxLength={60}
          autoComplete="name"
          disabled={!me}
          onChange={(event) => setDraft(event.target.value)}
          onBlur={save}
          onKeyDown={(event) => {
            if (event.key === 'Enter') save();
            if (event.key === 'Escape' && draft !== null && draft !== held) {
              event.preventDefault();
              event.stopPropagation();
              setDraft(null);
            }
          }}
        />
      )}
    </Field>
  );
}

/** Which version this is, where to read more, and the first steps once more. */
function AboutSettings({ onTour }: { onTour: () => void }) {
  return (
    <>
      <p className="setting-note">
        {serverVersion() ? `Version ${serverVersion()}. ` : ''}Everything is stored on the server that this
        page comes from, and nowhere else.
      </p>
      <div className="setting-actions">
        <button type="button" className="button" onClick={onTour}>
          <Footprints size={16} strokeWidth={1.9} aria-hidden="true" />
          Show the tour again
        </button>
        <a className="button" href={`${ROOT_PATH}/docs`} target="_blank" rel="noreferrer">
          <BookOpen size={16} strokeWidth={1.9} aria-hidden="true" />
          API reference<span className="visually-hidden"> (opens a new tab)</span>
        </a>
      </div>
    </>
  );
}
