/** The switch between diagram, split and document. */
import { VIEW_MODES, type ViewMode } from '../../sync/preferences';
import { useEditorContext } from '../context/EditorContext';
import { useVisibleMode } from '../context/useVisibleMode';
import { useIsPhone } from '../ui/useMedia';

const NAMES: Record<ViewMode, string> = { diagram: 'Diagram', split: 'Split', document: 'Document' };

export function ViewSwitch() {
  const { ui } = useEditorContext();
  const isPhone = useIsPhone();
  const mode = useVisibleMode();
  const modes = isPhone ? VIEW_MODES.filter((one) => one !== 'split') : VIEW_MODES;
  return (
    <div className="segments" role="group" aria-label="View">
      {modes.map((one) => (
        <button key={one} type="button" aria-pressed={one === mode} onClick={() => ui.setMode(one)}>
          {NAMES[one]}
        </button>
      ))}
    </div>
  );
}
