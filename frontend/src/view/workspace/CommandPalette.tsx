/** The command palette of a workspace, loaded on first use. */
import { lazy } from 'react';
import { TypedAhead } from '../ui/TypedAhead';

const WorkspaceFinder = lazy(async () => ({ default: (await import('./WorkspaceFinder')).WorkspaceFinder }));

export function CommandPalette({ onClose }: { onClose: () => void }) {
  return (
    <TypedAhead label="Search commands" onClose={onClose}>
      {(typed) => <WorkspaceFinder typed={typed} onClose={onClose} />}
    </TypedAhead>
  );
}
