/** Which of the two, diagram and document, is in sight. */
import { VIEW_MODES, type ViewMode } from '../../sync/preferences';

const NAMES: Record<ViewMode, string> = { diagram: 'Diagram', split: 'Split', document: 'Document' };

export function ViewSwitch({ mode, onChange }: { mode: ViewMode; onChange: (mode: ViewMode) => void }) {
  return (
    <div className="segments" role="group" aria-label="View">
      {VIEW_MODES.map((value) => (
        <button key={value} type="button" aria-pressed={mode === value} onClick={() => onChange(value)}>
          {NAMES[value]}
        </button>
      ))}
    </div>
  );
}
