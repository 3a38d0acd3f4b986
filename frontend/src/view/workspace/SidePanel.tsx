/** The panel on the right: properties of what is selected, or the history. A drawer where there is little room. */
import { History, SlidersHorizontal, X } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { lazy, Suspense } from 'react';
import type { PanelName } from '../../sync/preferences';
import { useDesk, useDeskState } from '../desk/Desk';
import { IconButton } from '../ui/IconButton';

const HistoryPanel = lazy(async () => ({ default: (await import('../history/HistoryPanel')).HistoryPanel }));
const PropertiesPanel = lazy(async () => ({
  default: (await import('../properties/PropertiesPanel')).PropertiesPanel,
}));

const PANELS = [
  { name: 'properties', title: 'Properties', icon: SlidersHorizontal, content: PropertiesPanel },
  { name: 'history', title: 'History', icon: History, content: HistoryPanel },
] as const;

/** The buttons in the bar that open it. */
export function PanelSwitch() {
  const { ui } = useDesk();
  const open = useDeskState((state) => state.panel);
  return (
    <div className="panel-switch" role="group" aria-label="Side panel">
      {PANELS.map(({ name, title, icon }) => (
        <IconButton
          key={name}
          icon={icon}
          label={title}
          aria-pressed={open === name}
          onClick={() => ui.togglePanel(name)}
        />
      ))}
    </div>
  );
}

export function SidePanel() {
  const { ui } = useDesk();
  const open = useDeskState((state) => state.panel);
  const shown = PANELS.find(({ name }) => name === open);
  if (!shown) return null;
  return (
    <aside className="side-panel" aria-label={shown.title}>
      <Tabs.Root
        value={shown.name}
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
        {PANELS.map(({ name, content: Content }) => (
          <Tabs.Content key={name} value={name} className="side-body" tabIndex={-1}>
            <Suspense>
              <Content />
            </Suspense>
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </aside>
  );
}
