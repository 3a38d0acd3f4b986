/** The themes with names and icons, and the current one. */
import { Monitor, Moon, Sun } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { recallTheme, subscribeToPreferences, type Theme } from '../../sync/preferences';

export const THEME_CHOICES = [
  { value: 'light', text: 'Light', icon: Sun },
  { value: 'dark', text: 'Dark', icon: Moon },
  { value: 'system', text: 'As the system', icon: Monitor },
] as const;

export const useTheme = (): Theme => useSyncExternalStore(subscribeToPreferences, recallTheme);
