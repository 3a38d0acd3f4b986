/** The tools of the canvas, at the bottom in the middle. */
import { Panel } from '@xyflow/react';
import { Hand, type LucideIcon, MousePointer2, Spline, Wand2 } from 'lucide-react';
import { written } from '../../commands/keys';
import { useEditorContext, useUiState } from '../../context/EditorContext';
import type { Tool } from '../../context/uiState';
import { IconButton } from '../../ui/IconButton';
import { Menu, MenuItem } from '../../ui/overlay/Menu';

const TOOLS: readonly { tool: Tool; icon: LucideIcon; label: string; keys: string }[] = [
  { tool: { kind: 'select' }, icon: MousePointer2, label: 'Select', keys: 'V' },
  { tool: { kind: 'hand' }, icon: Hand, label: 'Move the canvas', keys: 'H' },
  { tool: { kind: 'connect', from: null }, icon: Spline, label: 'Connect', keys: 'C' },
];

export function ToolBar() {
  const { ui } = useEditorContext();
  const kind = useUiState(({ tool }) => tool.kind);
  return (
    <Panel position="bottom-center" className="canvas-bar tool-bar" role="toolbar" aria-label="Tools">
      {TOOLS.map(({ tool, icon, label, keys }) => (
        <IconButton
          key={tool.kind}
          icon={icon}
          label={label}
          keys={keys}
          aria-pressed={kind === tool.kind}
          onClick={() => ui.set({ tool })}
        />
      ))}
      <span className="bar-rule" />
      <TidyMenu />
    </Panel>
  );
}

const TIDY = ['arrange.tidy', 'arrange.tidy-gently', 'arrange.tidy-selection', 'arrange.tidy-redraw'];

function TidyMenu() {
  return (
    <Menu side="top" align="center" button={<IconButton icon={Wand2} label="Tidy" keys="Shift+L" />}>
      <TidyItems />
    </Menu>
  );
}

/** What can be chosen when the menu is opened. */
function TidyItems() {
  const { commands } = useEditorContext();
  return TIDY.map((id) => {
    const command = commands.get(id);
    if (!command) return null;
    const { title, icon, keys, isEnabled } = command;
    return (
      <MenuItem
        key={id}
        {...(icon && { icon })}
        {...(keys?.[0] && { keys: written(keys[0]) })}
        isDisabled={isEnabled?.() === false}
        onChoose={() => commands.run(id)}
      >
        {title}
      </MenuItem>
    );
  });
}
