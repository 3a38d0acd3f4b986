/** The side panel: assistant, properties, or history. A drawer on narrow screens. */
import { X } from 'lucide-react';
import { Tabs } from 'radix-ui';
import type { PanelName } from '../../sync/preferences';
import { AssistantPanel } from '../assistant/AssistantPanel';
import { useEditorContext, useUiState } from '../context/EditorContext';
import { HistoryPanel } from '../history/HistoryPanel';
import { PropertiesPanel } from '../properties/PropertiesPanel';
import { IconButton } from '../ui/IconButton';
import { PANELS } from './panels';

const CONTENTS = { assistant: AssistantPanel, properties: PropertiesPanel, history: HistoryPanel };

export function SidePanel() {
  const { ui } = useEditorContext();
  const open = useUiState((state) => state.panel);
  const panel = PANELS.find(({ name }) => name === open);
  if (!panel) return null;
  return (
    <aside className="side-panel" aria-label={panel.title}>
      <Tabs.Root
        value={panel.name}
        onValueChange={(name) => ui.setPanel(name as PanelName)}
        className="side-tabs"
      >
        <header className="side-head">
          <Tabs.List className="tabs" aria-label="Side panel">
            {PANELS.map(({ name, title }) => (
              <Tabs.Trigger key={name} value={name} className="tab">
                {title}
              </Tabs.Trigger>
            ))}
          </Tabs.List>
          <IconButton icon={X} label="Close panel" className="tip-left" onClick={() => ui.setPanel(null)} />
        </header>
        {PANELS.map(({ name, title }) => {
          const Content = CONTENTS[name];
          return (
            <Tabs.Content key={name} value={name} className="side-body" tabIndex={-1}>
              <h2 className="visually-hidden">{title}</h2>
              <Content />
            </Tabs.Content>
          );
        })}
      </Tabs.Root>
    </aside>
  );
}
