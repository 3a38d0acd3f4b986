/**
 * The registry of commands, shared by keys, the command palette, menus and the shortcut sheet. Parts of the page
 * register their commands while they are mounted. Not here: what they do.
 */
import type { LucideIcon } from 'lucide-react';
import { isComposing } from '../ui/pressed';
import { type Keys, matches } from './keys';

/** In the order of the sheet of shortcuts. */
export const COMMAND_GROUPS = [
  'Edit',
  'Add',
  'Arrange',
  'Select',
  'View',
  'Document',
  'History',
  'Assistant',
  'Go',
] as const;

export interface Command {
  /** Stable, `area.verb`. */
  id: string;
  /** What it does, as a button would say it. */
  title: string;
  group: (typeof COMMAND_GROUPS)[number];
  icon?: LucideIcon;
  /** The first is shown. */
  keys?: readonly Keys[];
  /** Other words for the search. */
  words?: string;
  /** Where its keys work: on the canvas only, anywhere but in fields (default), or also while typing. */
  reach?: 'canvas' | 'page' | 'everywhere';
  /** The browser handles its keys and fires an event (copy, paste): here they are only shown. */
  areKeysNative?: boolean;
  /** Not in the palette: it only makes sense as a key. */
  isHidden?: boolean;
  isEnabled?: () => boolean;
  run: () => void;
}

export class Commands {
  private readonly lists = new Map<symbol, () => readonly Command[]>();

  /** Registers commands. Returns a function that unregisters them. The list is read anew each time. */
  add(list: () => readonly Command[]): () => void {
    const key = Symbol('commands');
    this.lists.set(key, list);
    return () => {
      this.lists.delete(key);
    };
  }

  all(): Command[] {
    return [...this.lists.values()].flatMap((list) => list());
  }

  get(id: string): Command | undefined {
    return this.all().find((command) => command.id === id);
  }

  /** The commands of the palette that are enabled now, in the order of the groups, without duplicates. */
  offered(): Command[] {
    return inGroups(this.all().filter((command) => !command.isHidden && command.isEnabled?.() !== false));
  }

  /** All commands with keys, enabled or not, in the order of the groups. */
  withKeys(): Command[] {
    return inGroups(this.all().filter(({ keys }) => keys !== undefined && keys.length > 0));
  }

  /** Runs a command if it is enabled. */
  run(id: string): boolean {
    const command = this.get(id);
    if (!command || command.isEnabled?.() === false) return false;
    command.run();
    return true;
  }

  /** Runs the command of a key. Returns whether there was one. */
  press(event: KeyboardEvent, place: { isTyping: boolean; isCanvas: boolean }): boolean {
    if (isComposing(event)) return false;
    const isReached = ({ reach = 'page' }: Command) =>
      reach === 'everywhere' || (!place.isTyping && (reach === 'page' || place.isCanvas));
    const found = this.all().find(
      (command) =>
        isReached(command) &&
        !command.areKeysNative &&
        command.keys?.some((keys) => matches(keys, event)) &&
        command.isEnabled?.() !== false,
    );
    found?.run();
    return found !== undefined;
  }
}

function inGroups(commands: readonly Command[]): Command[] {
  const unique = [...new Map(commands.map((command) => [command.id, command])).values()];
  return COMMAND_GROUPS.flatMap((name) => unique.filter(({ group }) => group === name));
}
