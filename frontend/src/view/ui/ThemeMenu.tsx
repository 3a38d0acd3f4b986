/** The menu of themes: light, dark, or system. */
import { Monitor } from 'lucide-react';
import { chooseTheme } from '../../sync/preferences';
import { IconButton } from './IconButton';
import { Menu, MenuChoices, MenuLabel } from './overlay/Menu';
import { THEME_CHOICES, useTheme } from './themes';

export function ThemeMenu() {
  const theme = useTheme();
  const icon = THEME_CHOICES.find(({ value }) => value === theme)?.icon ?? Monitor;
  return (
    <Menu button={<IconButton icon={icon} label="Theme" />}>
      <MenuLabel>Theme</MenuLabel>
      <MenuChoices label="Theme" value={theme} choices={THEME_CHOICES} onChoose={chooseTheme} />
    </Menu>
  );
}
