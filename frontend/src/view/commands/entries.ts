/** Entries of the command palette: a command, or a place to go to. */
import type { LucideIcon } from 'lucide-react';
import type { Findable } from '../../model/words/search';
import type { Command } from './commands';
import { written } from './keys';

export interface Entry extends Findable {
  /** Stable, for the list of recent entries. */
  id: string;
  group: string;
  icon?: LucideIcon | undefined;
  /** As they are written on this keyboard. */
  keys?: string | undefined;
  /** Beside the title, in small. */
  detail?: string | undefined;
  run: () => void;
}

export const commandEntries = (commands: readonly Command[]): Entry[] =>
  commands.map(({ id, title, group, icon, keys, words, run }) => ({
    id,
    title,
    group,
    icon,
    words: `${words ?? ''} ${group}`,
    keys: keys?.[0] && written(keys[0]),
    run,
  }));
