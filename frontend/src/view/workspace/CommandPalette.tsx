/** The command palette of a workspace, loaded on first use. */
import { typedAhead } from '../ui/loading/TypedAhead';

export const CommandPalette = typedAhead(
  'Search commands',
  async () => (await import('./WorkspaceFinder')).WorkspaceFinder,
);
