/** Commands of the page as a whole: views, panels, command palette, home. */
import {
  Columns2,
  Command as CommandIcon,
  FileText,
  History,
  Inbox,
  Keyboard,
  PanelRight,
  Settings,
  Shapes,
  Sparkles,
} from 'lucide-react';
import { useLocation } from 'wouter';
import { THEME_COMMANDS } from '../commands/themeCommands';
import { useCommands, useEditorContext } from '../context/EditorContext';

export function WorkspaceCommands() {
  const { client, ui } = useEditorContext();
  const [, navigate] = useLocation();
  useCommands(THEME_COMMANDS);
  useCommands([
    {
      id: 'go.commands',
      title: 'Find a command',
      group: 'Go',
      icon: CommandIcon,
      keys: ['Mod+K'],
      reach: 'everywhere',
      isHidden: true,
      run: () => ui.set({ dialog: { kind: 'commands' } }),
    },
    {
      id: 'go.shortcuts',
      title: 'Keyboard shortcuts',
      group: 'Go',
      icon: Keyboard,
      keys: ['?'],
      run: () => ui.set({ dialog: { kind: 'shortcuts' } }),
    },
    {
      id: 'go.settings',
      title: 'Settings…',
      group: 'Go',
      icon: Settings,
      keys: ['Mod+,'],
      reach: 'everywhere',
      words: 'preferences options name theme assistant key usage tour',
      run: () => ui.set({ dialog: { kind: 'settings' } }),
    },
    {
      id: 'go.tray',
      title: 'Changes that did not fit',
      group: 'Go',
      icon: Inbox,
      words: 'tray conflict refused',
      run: () => ui.set({ dialog: { kind: 'tray' } }),
    },
    {
      id: 'go.reconnect',
      title: 'Connect to the server now',
      group: 'Go',
      words: 'offline retry try',
      isEnabled: () => client.status.connection !== 'live',
      run: () => client.retry(),
    },
    {
      id: 'go.export',
      title: 'Export…',
      group: 'Go',
      keys: ['Mod+Shift+S'],
      reach: 'everywhere',
      words: 'download save picture svg png html markdown mermaid json copy',
      run: () => ui.set({ dialog: { kind: 'export' } }),
    },
    { id: 'go.home', title: 'All workspaces', group: 'Go', run: () => navigate('/') },
    {
      id: 'view.diagram',
      title: 'Show the diagram alone',
      group: 'View',
      icon: Shapes,
      keys: ['Alt+1'],
      reach: 'everywhere',
      run: () => ui.setMode('diagram'),
    },
    {
      id: 'view.split',
      title: 'Show diagram and document side by side',
      group: 'View',
      icon: Columns2,
      keys: ['Alt+2'],
      reach: 'everywhere',
      run: () => ui.setMode('split'),
    },
    {
      id: 'view.document',
      title: 'Show the document alone',
      group: 'View',
      icon: FileText,
      keys: ['Alt+3'],
      reach: 'everywhere',
      run: () => ui.setMode('document'),
    },
    {
      id: 'go.assistant',
      title: 'Assistant panel',
      group: 'Assistant',
      icon: Sparkles,
      keys: ['Mod+J'],
      reach: 'everywhere',
      words: 'ask edit model ai prompt command',
      run: () => {
        const isThere = document.activeElement?.closest('.composer') != null;
        if (!isThere) ui.set({ isAsking: true });
        ui.setPanel(isThere ? null : 'assistant');
      },
    },
    {
      id: 'view.properties',
      title: 'Properties panel',
      group: 'View',
      icon: PanelRight,
      keys: [']'],
      run: () => ui.togglePanel('properties'),
    },
    {
      id: 'view.history',
      title: 'History panel',
      group: 'View',
      icon: History,
      keys: ['Shift+H'],
      run: () => ui.togglePanel('history'),
    },
    {
      id: 'view.palette',
      title: 'Palette of node types',
      group: 'View',
      keys: ['['],
      run: () => ui.set({ isPaletteOpen: !ui.get().isPaletteOpen }),
    },
  ]);
  return null;
}
