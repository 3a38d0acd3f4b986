/** The buttons of the side panels, and the open panel, which is loaded on first use. */
import { useEditorContext, useUiState } from '../context/EditorContext';
import { IconButton } from '../ui/IconButton';
import { laterInBackground } from '../ui/loading/later';
import { PANELS } from './panels';

// Also drawn without being asked: a panel stays open from one visit to the next.
export const SidePanel = laterInBackground(
  async () => (await import('./SidePanel')).SidePanel,
  <aside className="side-panel" aria-label="Side panel" />,
);

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
