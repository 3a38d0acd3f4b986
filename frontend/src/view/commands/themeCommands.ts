/** Commands for the themes, for all pages. */
import { chooseTheme } from '../../sync/preferences';
import { THEME_CHOICES } from '../ui/themes';
import type { Command } from './commands';

export const THEME_COMMANDS: readonly Command[] = THEME_CHOICES.map(({ value, text, icon }) => ({
  id: `view.theme-${value}`,
  title: value === 'system' ? 'Theme as the system has it' : `${text} theme`,
  group: 'View',
  icon,
  words: 'theme appearance colours colors mode look',
  run: () => chooseTheme(value),
}));
