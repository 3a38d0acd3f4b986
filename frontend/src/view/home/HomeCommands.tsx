/** Keys and command palette of the home page. */
import {
  Bot,
  Command as CommandIcon,
  FileUp,
  Folder,
  FolderOpen,
  FolderPlus,
  Keyboard,
  Plus,
  Settings,
  Trash2,
  Workflow,
} from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { pathText } from '../../model/words/folders';
import type { Inbox } from '../../protocol/api';
import { type Command, Commands } from '../commands/commands';
import { commandEntries, type Entry } from '../commands/entries';
import { THEME_COMMANDS } from '../commands/themeCommands';
import { later } from '../ui/loading/later';
import { typedAhead } from '../ui/loading/TypedAhead';
import { isModalOpen, isTyping } from '../ui/useShortcut';
import { addressOf, useFolders } from './folders';
import { useWorkspaces } from './lists';

const Finder = typedAhead('Search commands', async () => (await import('../commands/Finder')).Finder);
const KeysDialog = later(async () => (await import('../commands/KeysDialog')).KeysDialog);
const SettingsDialog = later(async () => (await import('../settings/SettingsDialog')).SettingsDialog);
const ConnectAgentDialog = later(
  async () => (await import('../settings/ConnectAgentDialog')).ConnectAgentDialog,
);

interface Props {
  onCreate: () => void;
  onCreateFolder: () => void;
  onImport: () => void;
  onShow: (inbox: Inbox) => void;
  /** They make nothing and own nothing. */
  isGuest: boolean;
}

export function HomeCommands({ onCreate, onCreateFolder, onImport, onShow, isGuest }: Props) {
  const [open, setOpen] = useState<'commands' | 'shortcuts' | 'settings' | 'connect-agent' | null>(null);
  const close = () => setOpen(null);
  const commands = useHomeCommands([
    {
      id: 'go.commands',
      title: 'Find a command',
      group: 'Go',
      icon: CommandIcon,
      keys: ['Mod+K'],
      reach: 'everywhere',
      isHidden: true,
      run: () => setOpen('commands'),
    },
    {
      id: 'go.shortcuts',
      title: 'Keyboard shortcuts',
      group: 'Go',
      icon: Keyboard,
      keys: ['?'],
      run: () => setOpen('shortcuts'),
    },
    {
      id: 'go.settings',
      title: 'Settings…',
      group: 'Go',
      icon: Settings,
      keys: ['Mod+,'],
      reach: 'everywhere',
      words: 'preferences options name theme assistant key usage tour',
      run: () => setOpen('settings'),
    },
    {
      id: 'go.connect-agent',
      title: 'Connect your agent…',
      group: 'Go',
      icon: Bot,
      words: 'mcp claude cursor codex vscode copilot zed opencode key program',
      run: () => setOpen('connect-agent'),
    },
    { id: 'home.all', title: 'All workspaces', group: 'Go', icon: FolderOpen, run: () => onShow('active') },
    ...(isGuest ? [] : ownCommands({ onCreate, onCreateFolder, onImport, onShow })),
    ...THEME_COMMANDS,
  ]);
  return (
    <>
      {open === 'settings' && <SettingsDialog onClose={close} />}
      {open === 'connect-agent' && <ConnectAgentDialog design={null} onClose={close} />}
      {open === 'commands' && <HomeFinder commands={commands} onClose={close} />}
      {open === 'shortcuts' && (
        <KeysDialog commands={commands.withKeys()} hasCanvas={false} onClose={close} />
      )}
    </>
  );
}

/** Of who may make workspaces and folders. */
function ownCommands({ onCreate, onCreateFolder, onImport, onShow }: Omit<Props, 'isGuest'>): Command[] {
  return [
    {
      id: 'home.new',
      title: 'New workspace',
      group: 'Add',
      icon: Plus,
      keys: ['N'],
      words: 'create template',
      run: onCreate,
    },
    {
      id: 'home.folder',
      title: 'Create a folder',
      group: 'Add',
      icon: FolderPlus,
      keys: ['F'],
      words: 'new make directory order',
      run: onCreateFolder,
    },
    {
      id: 'home.import',
      title: 'Import a file',
      group: 'Add',
      icon: FileUp,
      keys: ['I'],
      words: 'json markdown mermaid upload',
      run: onImport,
    },
    {
      id: 'home.trash',
      title: 'Trash',
      group: 'Go',
      icon: Trash2,
      words: 'deleted bin',
      run: () => onShow('trash'),
    },
  ];
}

/** The commands, bound to the keys of the page. */
function useHomeCommands(list: readonly Command[]): Commands {
  const newest = useRef(list);
  newest.current = list;
  const [commands] = useState(() => new Commands());
  useEffect(() => {
    const remove = commands.add(() => newest.current);
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isModalOpen()) return;
      const place = { isTyping: isTyping(event.target), isCanvas: false };
      if (commands.press(event, place)) event.preventDefault();
    };
    window.addEventListener('keydown', listen);
    return () => {
      remove();
      window.removeEventListener('keydown', listen);
    };
  }, [commands]);
  return commands;
}

function HomeFinder({ commands, onClose }: { commands: Commands; onClose: () => void }) {
  const [, navigate] = useLocation();
  const list = useWorkspaces({ inbox: 'active', q: '', sort: 'changed' });
  const entries = useMemo(() => commandEntries(commands.offered()), [commands]);
  const folders = useFolders().data;
  const places = useMemo<Entry[]>(() => {
    const workspaces = (list.data?.pages ?? []).flatMap(({ items }) => items);
    return [
      ...workspaces.map(({ id, name }) => ({
        id: `workspace ${id}`,
        title: `Open ${name}`,
        group: 'Workspaces',
        icon: Workflow,
        words: name,
        run: () => navigate(`/w/${id}`),
      })),
      ...(folders ?? []).map(({ id, name }) => ({
        id: `folder ${id}`,
        title: `Open the folder ${pathText(folders ?? [], id)}`,
        group: 'Folders',
        icon: Folder,
        words: name,
        run: () => navigate(addressOf(id)),
      })),
    ];
  }, [list.data, folders, navigate]);
  return (
    <Finder label="Search commands and workspaces" commands={entries} places={places} onClose={onClose} />
  );
}
