/** The buttons of the side panels, and the open panel, which is loaded on first use. */
import { lazy, Suspense } from 'react';
import { useEditorContext, useUiState } from '../context/EditorContext';
import { IconButton } from '../ui/IconButton';
import { untilLoaded } from '../ui/untilLoaded';
import { PANELS } from './panels';

// Also drawn without being asked: a panel stays open from one visit to the next.
const SidePanel = lazy(async () => ({
  default: (await untilLoaded(() => import('./SidePanel'))).SidePanel,
}));

export function PanelSwitch() {
  const { ui } = useEditorContext();
  const open = useUiState((state) => state.panel);
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

export function PanelPlace() {
  const isOpen = useUiState(({ panel }) => PANELS.some(({ name }) => name === panel));
  if (!isOpen) return null;
  return (
    <Suspense fallback={<aside className="side-panel" aria-label="Side panel" />}>
      <SidePanel />
    </Suspense>
  );
}
