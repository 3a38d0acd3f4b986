/** What is proposed, drawn over the diagram as something that is not there yet. Nothing of it can be touched. */
import type { Ghosts } from '../../desk/state';

export function GhostLayer(_props: { ghosts: Ghosts }) {
  return null;
}
