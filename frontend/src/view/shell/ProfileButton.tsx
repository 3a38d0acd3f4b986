/** The avatar of this person, with a menu for name and settings. */
import '../styles/avatars.css';
import { PencilLine, Settings } from 'lucide-react';
import { useState } from 'react';
import { initialsOf, inkOn } from '../../model/words/people';
import { written } from '../commands/keys';
import { useMe } from '../queries';
import { later } from '../ui/loading/later';
import { Menu, MenuItem, MenuLabel } from '../ui/overlay/Menu';

const ProfileDialog = later(async () => (await import('./ProfileDialog')).ProfileDialog);
const AccountItems = later(async () => (await import('./AccountItems')).AccountItems);
const SettingsDialog = later(async () => (await import('../settings/SettingsDialog')).SettingsDialog);
const ConnectAgentDialog = later(
  async () => (await import('../settings/ConnectAgentDialog')).ConnectAgentDialog,
);

interface Props {
  /** The colour in the workspace; default the preferred one. */
  color?: string | undefined;
  /** How many tabs of this person are open. */
  pages?: number;
  /** Opens the settings; default those without a workspace. */
  onSettings?: () => void;
  /** Opens how to connect an agent; default without a workspace. */
  onConnectAgent?: () => void;
}

export function ProfileButton({ color, pages = 1, onSettings, onConnectAgent }: Props) {
  const me = useMe().data;
  const [open, setOpen] = useState<'name' | 'settings' | 'connect-agent' | null>(null);
  if (!me) return <span className="avatar skeleton" aria-hidden="true" />;
  const tabs = pages > 1 ? `, here in ${pages} tabs` : '';
  const background = color ?? me.color;
  const close = () => setOpen(null);
  return (
    <>
      <Menu
        button={
          <button
            type="button"
            className="avatar tip-left"
            style={{ background, color: inkOn(background) }}
            aria-label={`You are ${me.name}${tabs}`}
            data-tip={`You are ${me.name}${tabs}`}
            data-initials={initialsOf(me.name)}
          />
        }
      >
        <MenuLabel>{me.name}</MenuLabel>
        <MenuItem icon={PencilLine} onChoose={() => setOpen('name')}>
          Change your name…
        </MenuItem>
        <AccountItems me={me} onConnectAgent={onConnectAgent ?? (() => setOpen('connect-agent'))} />
        <MenuItem
          icon={Settings}
          keys={written('Mod+,')}
          onChoose={onSettings ?? (() => setOpen('settings'))}
        >
          Settings…
        </MenuItem>
      </Menu>
      {open === 'name' && <ProfileDialog name={me.name} onClose={close} />}
      {open === 'settings' && <SettingsDialog onClose={close} />}
      {open === 'connect-agent' && <ConnectAgentDialog design={null} onClose={close} />}
    </>
  );
}
